/** What of the audit log is shown, as the address has it. */
export const FIELDS = [
  { name: 'actor', label: 'Who', hint: 'id of a user' },
  { name: 'action', label: 'Action', hint: 'such as key.make' },
  { name: 'subject', label: 'Subject', hint: 'id of what it was done to' },
  { name: 'since', label: 'Since', hint: 'such as 2026-05-01' },
  { name: 'until', label: 'Until', hint: 'such as 2026-05-02' },
] as const

export type Field = (typeof FIELDS)[number]['name']

/** The parameters of the question: those that say something. */
export function questionOf(read: (name: Field | 'cursor') => string | null): Partial<Record<Field | 'cursor', string>> {
  const names = [...FIELDS.map(({ name }) => name), 'cursor' as const]
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = read(name)?.trim() ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  )
}

/** What a record says beside its action: `roles: reporter`, or `entities: 40, first ip-…, …`. */
export const detailText = ({ what, count, first }: { what: string; count: number; first: readonly string[] }): string =>
  `${what}: ${count > first.length ? `${count}, first ` : ''}${first.join(', ')}`

/** Outcomes in words. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  success: 'done',
  refused: 'refused',
  begun: 'sent to the log',
}
