import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'
import { Link } from 'wouter'
import { Loading } from '../../parts/feedback/Loading.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { searchLink } from '../../parts/figures/search-link.ts'
import { LiveStateText } from '../../parts/live/LiveStateText.tsx'
import { LiveSwitch } from '../../parts/live/LiveSwitch.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { EmptyList } from './EmptyList.tsx'
import { FeedBar } from './FeedBar.tsx'
import { FeedTable } from './FeedTable.tsx'
import { Filters } from './Filters.tsx'
import { LIMIT, matches, newsText, pendingItems, withLatest } from './feed.ts'
import { KeyHelp } from './KeyHelp.tsx'
import { withUpdates } from './live-list.ts'
import { useFeed } from './useFeed.ts'
import { useFilters } from './useFilters.ts'
import { focusFirst, useKeys } from './useKeys.ts'

/** The feed of the latest entities, newest first, for analysts who decide what to look at. */
export default function Triage() {
  const filters = useFilters()
  const [paused, setPaused] = useState(false)
  const [keysShown, setKeysShown] = useState(false)
  const [letters, setLetters] = useLocalStorage({ key: 'harrier.triage.letters', defaultValue: true })
  const malicious = filters.scope === 'malicious'
  const [liveParameter, setLive] = useParameter('live')
  const isLive = liveParameter === 'on'
  const feed = useFeed({ hours: Number(filters.hours), malicious }, paused, isLive)
  const narrowing = { ...filters, accuracy: Number(filters.accuracy) }
  const read = feed.read ?? []
  const now = withUpdates(withLatest(read, feed.latest), feed.updates)
  const shown = now.filter((item) => matches(item, narrowing))
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
  useKeys(letters, (command) => {
    if (command === 'keys') setKeysShown(true)
    if (command === 'pause') pause()
    if (command === 'bringIn' && news !== null) bringIn()
  })
  const narrowed = shown.length < now.length
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
      <Filters filters={filters} types={[...new Set(now.map(({ type }) => type))].sort()} />
      <Stack gap={4}>
        <FeedBar
          news={news}
          bringIn={bringIn}
          paused={paused}
          pause={pause}
          at={feed.at}
          error={feed.answer.error}
          follows={feed.follows}
          showKeys={() => setKeysShown(true)}
        />
        <QueryResult of={feed.answer} loading={<Loading lines={12} />}>
          {() =>
            shown.length === 0 ? (
              <EmptyList narrowed={narrowed} filters={filters} />
            ) : (
              <FeedTable items={shown} fresh={feed.fresh} marks={feed.marks} />
            )
          }
        </QueryResult>
        {feed.read !== null && (
          <Text size="xs" c="dimmed" role="status" data-testid="shown">
            {narrowed ? `${shown.length} of ${now.length} shown: ` : `${now.length} shown. `}
            {narrowed && 'the filters type, accuracy, tag and text apply to the loaded entities. '}
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
      <KeyHelp opened={keysShown} close={() => setKeysShown(false)} letters={letters} setLetters={setLetters} />
    </Page>
  )
}
