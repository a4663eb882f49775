import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { AuditTable } from './AuditTable.tsx'
import { FIELDS, type Field, questionOf } from './filter.ts'

/** `/operations/audit?actor=&action=&subject=&since=&until=&cursor=`: who did what, newest first. */
export default function Audit() {
  const [parameters, setParameters] = useSearchParams()
  const question = questionOf((name) => parameters.get(name))
  const change = (given: Record<string, string>): void =>
    setParameters((before) => {
      const after = new URLSearchParams(before)
      for (const [name, value] of Object.entries(given)) {
        if (value === '') after.delete(name)
        else after.set(name, value)
      }
      return after
    })
  return (
    <Stack gap="md">
      <FilterBar of={question} change={(filter) => change({ ...filter, cursor: '' })} />
      <AuditTable
        key={parameters.toString()}
        question={question}
        narrow={(field, value) => change({ [field]: value, cursor: '' })}
        older={(cursor) => change({ cursor })}
      />
    </Stack>
  )
}

type FilterBarProps = { of: Partial<Record<Field, string>>; change: (to: Record<Field, string>) => void }

/** Every field, of the JSON of those that say something. */
const filled = (text: string): Record<Field, string> => {
  const known = JSON.parse(text) as Partial<Record<Field, string>>
  return Object.fromEntries(FIELDS.map(({ name }) => [name, known[name] ?? ''])) as Record<Field, string>
}

/** The fields are asked together, by the button or by Enter. */
function FilterBar({ of, change }: FilterBarProps) {
  const given = JSON.stringify(of)
  const [typed, setTyped] = useState(() => filled(given))
  useEffect(() => setTyped(filled(given)), [given])
  return (
    <form
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault()
        change(typed)
      }}
    >
      <Group gap="sm" align="end">
        {FIELDS.map(({ name, label, hint }) => (
          <TextInput
            key={name}
            label={label}
            placeholder={hint}
            w={200}
            maxLength={200}
            value={typed[name]}
            onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
          />
        ))}
        <Button type="submit">Show</Button>
      </Group>
    </form>
  )
}
