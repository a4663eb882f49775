import { Button, Group, NativeSelect, Stack, TagsInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { definitions } from '../../../../schemas/intelligence/entities/catalogue.ts'
import { asProblem, type Problem } from '../../api/problem.ts'
import { EmptyState } from '../../parts/feedback/EmptyState.tsx'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { Notice } from '../../parts/feedback/Notice.tsx'
import { type ChangeFilter, KIND_WORDS } from '../../parts/live/events.ts'
import { streamPorts } from '../../parts/live/ports.ts'
import { choice } from '../../parts/page/choice.ts'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { REPUTATIONS } from '../../parts/watch/reputations.ts'
import { ChangeTable } from './ChangeTable.tsx'
import { MOST_CHANGES, PERIODS, type Period, readChanges } from './read-changes.ts'

const TYPES = definitions().map(({ type }) => type)
const SUGGESTED = 12
const PERIOD_NAMES = Object.keys(PERIODS) as Period[]

const listed = (text: string | null): string[] => (text === null || text === '' ? [] : text.split(','))

/** `/changes?period=&kinds=&types=&tags=&reputation=`: what changed in the view of the caller. */
export default function Changes() {
  const [periodParameter, setPeriod] = useParameter('period')
  const [kinds, setKinds] = useParameter('kinds')
  const [types, setTypes] = useParameter('types')
  const [tags, setTags] = useParameter('tags')
  const [reputation, setReputation] = useParameter('reputation')
  const period = choice(PERIOD_NAMES, periodParameter, 'hour')
  const most = REPUTATIONS.find(({ value }) => value === reputation)?.value ?? ''
  const filter = useMemo<ChangeFilter>(
    () => ({
      ...(kinds ? { kinds } : {}),
      ...(types ? { types } : {}),
      ...(tags ? { tags } : {}),
      ...(most === '' ? {} : { reputationAtMost: Number(most) }),
    }),
    [kinds, types, tags, most],
  )
  const answer = useQuery({
    queryKey: ['changes', period, filter],
    // Each reading takes the place of a stream: it is done when it is asked for.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) =>
      readChanges(streamPorts(filter).open, new Date(Date.now() - PERIODS[period].ms).toISOString(), signal),
  })
  return (
    <Page
      title="What changed"
      about="Entities that are new or have another score or other details, newest change first."
    >
      <Group gap="sm" align="end" component="search" aria-label="Filters">
        <NativeSelect
          label="Period"
          size="xs"
          value={period}
          onChange={(event) => setPeriod(event.currentTarget.value === 'hour' ? '' : event.currentTarget.value)}
          data={PERIOD_NAMES.map((value) => ({ value, label: PERIODS[value].label }))}
        />
        <NativeSelect
          label="Change"
          size="xs"
          value={kinds ?? ''}
          onChange={(event) => setKinds(event.currentTarget.value)}
          data={[
            { value: '', label: 'any' },
            ...Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label })),
          ]}
        />
        <TagsInput
          label="Types"
          size="xs"
          w={180}
          data={TYPES}
          limit={SUGGESTED}
          splitChars={[',', ' ']}
          value={listed(types)}
          onChange={(to) => setTypes(to.join(','))}
        />
        <TagsInput
          label="Tags"
          size="xs"
          w={180}
          splitChars={[',']}
          value={listed(tags)}
          onChange={(to) => setTags(to.join(','))}
        />
        <NativeSelect
          label="Reputation now"
          size="xs"
          value={most}
          onChange={(event) => setReputation(event.currentTarget.value)}
          data={[...REPUTATIONS]}
        />
        <Button size="xs" variant="default" loading={answer.isFetching} onClick={() => void answer.refetch()}>
          Refresh
        </Button>
      </Group>
      {answer.error !== null ? (
        <ErrorAlert
          error={answer.error}
          again={() => void answer.refetch()}
          explanation={explanationOf(asProblem(answer.error))}
        />
      ) : answer.data === undefined ? (
        <Loading lines={8} />
      ) : (
        <Stack gap="sm">
          <Text size="sm" c="dimmed" role="status" data-testid="shown">
            {answer.data.changes.length.toLocaleString('en')} {answer.data.changes.length === 1 ? 'change' : 'changes'}.
          </Text>
          {!answer.data.whole && (
            <Notice title="There are more changes" data-testid="more">
              {answer.data.changes.length >= MOST_CHANGES
                ? `Only the first ${MOST_CHANGES.toLocaleString('en')} of the period are shown. `
                : 'The platform stopped before all changes of the period were read. '}
              Choose a shorter period or add filters to see the others.
            </Notice>
          )}
          {answer.data.changes.length === 0 ? (
            <EmptyState title="Nothing changed">Choose a longer period or remove filters.</EmptyState>
          ) : (
            <ChangeTable changes={answer.data.changes} />
          )}
        </Stack>
      )}
    </Page>
  )
}

/** Reading takes the place of a live stream. */
const explanationOf = ({ status }: Problem) =>
  status === 429
    ? {
        title: 'Another live stream of yours is open',
        text: 'Reading changes uses one of your live streams, and your limit of live streams is used up. Turn Live off in the other tab, wait a few seconds, then try again.',
      }
    : undefined
