import { Button, Group, Text } from '@mantine/core'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { csv, download } from '../../../parts/format/csv.ts'
import type { Item } from '../feed.ts'
import { COLUMNS, cellsOf, exportRows } from './export.ts'
import { countText, type States } from './states.ts'
import type { TriageWork } from './useTriage.ts'
import type { Work } from './useWork.ts'

type Props = {
  triage: TriageWork
  work: Work
  /** What the filters leave, whatever is noted of it: this is counted. */
  counted: readonly Item[]
  /** What is listed: this is exported. */
  listed: readonly Item[]
  previous: ReadonlyMap<string, number>
}

/** What there is to do, what is done with the selected entities, and the list as a file. */
export function WorkBar({ triage, work, counted, listed, previous }: Props) {
  const { selected, handled } = work
  return (
    <>
      <Group justify="space-between" gap="xs" mih={34}>
        <Group gap="xs">
          {triage.enabled && (
            <Text size="sm" data-testid="open-count" role="status">
              {countText(counted, triage.states, triage.me)}
            </Text>
          )}
          {handled !== null && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => void work.mark(handled.items, false)}
              data-testid="undo"
            >
              Undo: {entities(handled.items.length)} marked as handled
            </Button>
          )}
        </Group>
        <ListExports listed={listed} states={triage.states} previous={previous} />
      </Group>
      {triage.enabled && selected.length > 0 && <SelectionActions work={work} />}
      {work.error !== null && <ErrorAlert error={work.error} />}
    </>
  )
}

const entities = (n: number): string => `${n} ${n === 1 ? 'entity' : 'entities'}`

function SelectionActions({ work }: { work: Work }) {
  const { selected, open } = work
  return (
    <Group gap={6} component="section" aria-label="Selected entities" data-testid="selection">
      <Text size="sm" fw={600}>
        {entities(selected.length)} selected
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => void work.mark(selected, true)}>
        Handled
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => void work.mark(selected, false)}>
        Open again
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => open('assign', selected)}>
        Assign
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => open('note', selected)}>
        Note
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => open('verdict', selected)}>
        Verdict
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={work.clear}>
        Clear selection
      </Button>
    </Group>
  )
}

type Listed = { listed: readonly Item[]; states: States; previous: ReadonlyMap<string, number> }

function ListExports({ listed, states, previous }: Listed) {
  const rows = () => exportRows(listed, states, previous)
  const name = (): string => `harrier-triage-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`
  const what = `of the ${listed.length} listed`
  return (
    <Group gap={4}>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`CSV ${what}`}
        onClick={() => download(`${name()}.csv`, csv(COLUMNS, rows().map(cellsOf)))}
      >
        CSV
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`JSON ${what}`}
        onClick={() => download(`${name()}.json`, `${JSON.stringify(rows(), null, 2)}\n`, 'application/json')}
      >
        JSON
      </Button>
    </Group>
  )
}
