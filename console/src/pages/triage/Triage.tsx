import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { searchLink } from '../../parts/figures/search-link.ts'
import { LiveStateText } from '../../parts/live/LiveStateText.tsx'
import { LiveSwitch } from '../../parts/live/LiveSwitch.tsx'
import { focusFirst } from '../../parts/page/keys/rows.ts'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { EmptyList, NothingHere } from './EmptyList.tsx'
import { FeedBar } from './FeedBar.tsx'
import { FeedTable } from './FeedTable.tsx'
import { Filters } from './Filters.tsx'
import { LIMIT, matches, newsText, pendingItems, withLatest } from './feed.ts'
import { movementsOf } from './handling/movements.ts'
import { belongs } from './handling/states.ts'
import { useTriage } from './handling/useTriage.ts'
import { useWork } from './handling/useWork.ts'
import { WorkBar } from './handling/WorkBar.tsx'
import { WorkDialogs } from './handling/WorkDialogs.tsx'
import { withUpdates } from './live-list.ts'
import { useFeed } from './useFeed.ts'
import { useFilters } from './useFilters.ts'
import { useTriageKeys } from './useTriageKeys.ts'

/** The feed of the latest entities, newest first, for analysts who decide what to look at. */
export default function Triage() {
  const filters = useFilters()
  const [paused, setPaused] = useState(false)
  const malicious = filters.scope === 'malicious'
  const [liveParameter, setLive] = useParameter('live')
  const isLive = liveParameter === 'on'
  const feed = useFeed({ hours: Number(filters.hours), malicious }, paused, isLive)
  const narrowing = { ...filters, accuracy: Number(filters.accuracy) }
  const read = feed.read ?? []
  const now = withUpdates(withLatest(read, feed.latest), feed.updates)
  const counted = now.filter((item) => matches(item, narrowing))
  const triage = useTriage(now.map(({ id }) => id))
  const view = triage.enabled ? filters.work : 'all'
  const shown = counted.filter((item) => belongs(item, triage.states.get(item.id), view, triage.me))
  const work = useWork(triage, shown)
  const moved = movementsOf(now, read, feed.moved, feed.updates)
  const waits = pendingItems(read, feed.latest)
  const count = (items: typeof read) => items.filter((item) => matches(item, narrowing)).length
  const news = newsText(count(waits.arrived), count(waits.again))
  const bringIn = (): void => {
    feed.bringIn()
    window.scrollTo({ top: 0 })
    focusFirst()
  }
  const pause = (): void => {
    if (paused) void feed.answer.refetch()
    setPaused(!paused)
  }
  useTriageKeys({ triage, work, leaves: view !== 'all', bringIn: news === null ? null : bringIn, pause })
  const narrowed = counted.length < now.length
  const { states, me } = triage
  const selected = new Set(work.selected.map(({ id }) => id))
  const rowWork = triage.enabled ? { states, me, selected, choose: work.choose, chooseAll: work.chooseAll } : null
  return (
    <Page
      title="Triage"
      about="Entities by last sighting, newest first. New entities wait until you show them, so the list stays still while you read."
      controls={
        <Group gap="sm">
          {isLive && <LiveStateText live={feed.live} />}
          <LiveSwitch
            on={isLive}
            change={(on) => {
              setLive(on ? 'on' : '')
              void feed.answer.refetch()
            }}
          />
        </Group>
      }
    >
      <Filters filters={filters} types={[...new Set(now.map(({ type }) => type))].sort()} works={triage.enabled} />
      <Stack gap={4}>
        <FeedBar
          news={news}
          bringIn={bringIn}
          paused={paused}
          pause={pause}
          at={feed.at}
          error={feed.answer.error}
          follows={feed.follows}
        />
        {now.length > 0 && <WorkBar triage={triage} work={work} counted={counted} listed={shown} previous={moved} />}
        {triage.error !== null && <ErrorAlert error={triage.error} />}
        <QueryResult of={feed.answer} loading={<Loading lines={12} />}>
          {() =>
            counted.length === 0 ? (
              <EmptyList narrowed={narrowed} filters={filters} />
            ) : shown.length === 0 ? (
              <NothingHere view={view} show={() => filters.set.work('all')} />
            ) : (
              <FeedTable items={shown} fresh={feed.fresh} marks={feed.marks} moved={moved} work={rowWork} />
            )
          }
        </QueryResult>
        {feed.read !== null && (
          <Text size="xs" c="dimmed" role="status" data-testid="shown">
            {shown.length < now.length ? `${shown.length} of ${now.length} shown. ` : `${now.length} shown. `}
            {narrowed && 'The filters type, accuracy, tag and text apply to the loaded entities. '}
            {read.length >= LIMIT && feed.since && (
              <>
                Only the newest {LIMIT} are listed;{' '}
                <Anchor
                  component={Link}
                  underline="always"
                  href={searchLink({ seen: { from: feed.since }, malicious })}
                  size="xs"
                >
                  search all of them
                </Anchor>
                .
              </>
            )}
          </Text>
        )}
      </Stack>
      <WorkDialogs work={work} triage={triage} />
    </Page>
  )
}
