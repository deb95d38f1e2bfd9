/**
 * For the objects of wire shapes. A body or a query with a field that nobody listed is refused: a name that is misspelt would do
 * nothing, and its sender would trust it. An answer with one is an error of ours, a 500: so a new column leaves only once it is listed.
 */
export const CLOSED = { additionalProperties: false } as const
