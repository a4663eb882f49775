import { Button, Group, Paper, Stack, Table, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefresh } from '../../api/refresh.ts'
import { EntityLink } from '../../parts/entity/EntityLink.tsx'
import { Reputation } from '../../parts/entity/ScoreBadge.tsx'
import type { ChangeEvent } from '../../parts/live/events.ts'
import { LiveStateText } from '../../parts/live/LiveStateText.tsx'
import { useBatched } from '../../parts/live/useBatched.ts'
import { useLive } from '../../parts/live/useLive.ts'
import { RelativeTime } from '../../parts/time/RelativeTime.tsx'
import { NOTHING_WAITS, SHOWN, type Waiting, waitingText, withWaiting } from './live-changes.ts'

const EVERYTHING = {}
const MARKS = { new: 'new', changed: 'changed', gone: 'no longer malicious' } as const

/** What changes while the overview is open. The figures and the list stay still until the reader takes what is new. */
export default function LiveChanges() {
  const [waiting, setWaiting] = useState<Waiting>(NOTHING_WAITS)
  const [shown, setShown] = useState<Waiting['latest']>([])
  const refresh = useRefresh()
  const queries = useQueryClient()
  const figures = (): void => {
    void refresh('/api/analytics/v1/overview')
    void queries.invalidateQueries({ queryKey: ['entities counted'] })
  }
  const take = useBatched<ChangeEvent>((changes) => setWaiting((before) => withWaiting(before, changes)))
  const live = useLive(true, false, EVERYTHING, { onChange: take, onGap: figures })
  const text = waitingText(waiting)

  function bringIn(): void {
    setShown([...waiting.latest, ...shown].slice(0, SHOWN))
    setWaiting(NOTHING_WAITS)
    figures()
  }

  return (
    <Paper withBorder p="sm" component="section" aria-label="Live changes" data-testid="live">
      <Stack gap="xs">
        <Group justify="space-between" gap="xs" mih={30}>
          <LiveStateText live={live} />
          {text !== null && (
            <Button size="compact-sm" onClick={bringIn} data-testid="news">
              Show {text}
            </Button>
          )}
        </Group>
        {shown.length === 0 ? (
          <Text size="sm" c="dimmed">
            Changes from now on are announced here. The figures below stay unchanged until you choose to show the
            changes.
          </Text>
        ) : (
          <Table verticalSpacing={4} aria-label="Latest changes">
            <Table.Tbody>
              {shown.map(({ id, entity, mark, at }) => (
                <Table.Tr key={id} data-testid="live-change">
                  <Table.Td>
                    <EntityLink id={entity.id} value={clip(entity.value)} />
                    <Text size="xs" c="dimmed">
                      {entity.type}, {MARKS[mark]}, <RelativeTime at={at} />
                    </Text>
                  </Table.Td>
                  <Table.Td w={150}>
                    <Reputation of={entity.reputation} accuracy={entity.accuracy} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Stack>
    </Paper>
  )
}

const clip = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
