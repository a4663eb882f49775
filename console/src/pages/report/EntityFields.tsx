import { Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import type { Problem } from '../../api/problem.ts'
import { CountryInput } from '../../parts/form/CountryInput.tsx'
import { type Definition, optionsOf } from './definitions.ts'
import { type Draft, withType } from './draft.ts'
import { faultAt } from './faults.ts'

type Props = {
  definitions: readonly Definition[]
  draft: Draft
  change: (draft: Draft) => void
  fault: Problem | null
  /** Where the entity stands in the report: empty for the root, else ending in a dot. */
  path: string
}

/** Longest value that is typed; files are for longer ones. */
const MAX_VALUE = 8_192

/** Type and attributes of one entity: the usual ones as fields, any other of the catalogue by its name. */
export function EntityFields({ definitions, draft, change, fault, path }: Props) {
  const options = useMemo(() => optionsOf(definitions), [definitions])
  const definition = definitions.find(({ type }) => type === draft.type)
  const usual = (definition?.attributes ?? []).filter((name) => name !== draft.type)
  const shown = [...usual, ...draft.more.filter((name) => !usual.includes(name))]
  const labels = new Map(options.map(({ value, label }) => [value, label]))
  const set = (name: string, value: string) => change({ ...draft, values: { ...draft.values, [name]: value } })
  const field = (name: string, required = false) => {
    const param = `${path}attributes.${name}`
    if (name === 'country')
      return (
        <CountryInput
          key={name}
          label={labels.get(name) ?? name}
          value={draft.values[name] ?? ''}
          change={(value) => set(name, value)}
          error={faultAt(fault, param)}
          data-param={param}
          required={required}
        />
      )
    return (
      <TextInput
        key={name}
        label={labels.get(name) ?? name}
        value={draft.values[name] ?? ''}
        onChange={(event) => set(name, event.currentTarget.value)}
        error={faultAt(fault, param)}
        data-param={param}
        required={required}
        maxLength={MAX_VALUE}
        spellCheck={false}
        autoComplete="off"
      />
    )
  }
  const others = options.filter(({ value }) => value !== draft.type && !shown.includes(value))
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label="Type"
          data={options}
          value={draft.type}
          onChange={(type) => type && change(withType(draft, type))}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No such type"
          error={faultAt(fault, `${path}type`)}
          data-param={`${path}type`}
        />
        {field(draft.type, true)}
      </SimpleGrid>
      {definition && (
        <Text size="sm" c="dimmed" data-testid={`about-${path}`}>
          {definition.description}.
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {shown.map((name) => field(name))}
        <Select
          key={shown.length}
          label="Add an attribute"
          placeholder="Search the catalogue"
          data={others}
          value={null}
          onChange={(name) => name && change({ ...draft, more: [...draft.more, name] })}
          searchable
          nothingFoundMessage="No such attribute"
        />
      </SimpleGrid>
    </Stack>
  )
}
