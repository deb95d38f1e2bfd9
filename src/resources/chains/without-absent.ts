/** The members that have a value; what is not sent is not there. */
export function withoutAbsent<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T // absent ones are optional
}
