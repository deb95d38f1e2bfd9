/** Keys to press one after another: `<Kbd keys="G R" />`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          className="grid h-5 min-w-5 place-items-center rounded-chip border border-line bg-sunken px-1 font-sans text-[0.6875rem] leading-none text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
