import { Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { type VerdictGiven, VerdictInputs } from '../../../parts/entity/VerdictInputs.tsx'
import type { Item } from '../feed.ts'
import { type Decided, decideEach } from './decide-each.ts'

const MAX_FAULTS = 20

/** One verdict on several entities: how far it is, and what was refused. */
export function BulkVerdict({
  items,
  decided,
  close,
}: {
  items: readonly Item[]
  decided: () => void
  close: () => void
}) {
  const [given, setGiven] = useState<VerdictGiven>({ verdict: 'benign', reason: '' })
  const reason = given.reason.trim()
  const [progress, setProgress] = useState<Decided | null>(null)
  const queries = useQueryClient()
  const [stop] = useState(() => new AbortController())
  useEffect(() => () => stop.abort(), [stop])
  const running = progress !== null && progress.done < progress.of

  const give = (id: string) =>
    client.PUT('/api/casework/v1/verdicts/{entityId}', {
      params: { path: { entityId: id } },
      body: { verdict: given.verdict, reason },
    })
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (reason === '' || running) return
    const ids = items.map(({ id }) => id)
    setProgress({ done: 0, of: ids.length, faults: [] })
    const { faults } = await decideEach(ids, give, (error) => asProblem(error).message, stop.signal, setProgress)
    await queries.invalidateQueries()
    if (faults.length > 0 || stop.signal.aborted) return
    decided()
    close()
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <Text size="sm">
          The verdict decides the score of the entities for every member of your team, whatever their sources report. It
          replaces an earlier verdict. To take it back, open the page of the entity.
        </Text>
        <VerdictInputs value={given} change={setGiven} />
        {progress !== null && <Outcome progress={progress} items={items} />}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            {running ? 'Stop' : progress === null ? 'Cancel' : 'Close'}
          </Button>
          <Button type="submit" disabled={reason === ''} loading={running}>
            Decide
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Outcome({ progress: { done, of, faults }, items }: { progress: Decided; items: readonly Item[] }) {
  const nameOf = (id: string): string => items.find((item) => item.id === id)?.value.slice(0, 80) ?? id
  return (
    <Stack gap={4} role="status" data-testid="verdict-progress">
      <Progress value={(100 * done) / of} aria-label="Verdicts given" />
      <Text size="sm">
        {done - faults.length} of {of} decided{faults.length > 0 && `, ${faults.length} refused:`}
      </Text>
      <List size="sm">
        {faults.slice(0, MAX_FAULTS).map(({ id, reason }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            {nameOf(id)}: {reason}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
