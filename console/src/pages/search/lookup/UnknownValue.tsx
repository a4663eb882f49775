import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { AroundLists } from '../../../parts/entity/AroundLists.tsx'
import { type AroundAnswer, useAround } from '../../../parts/entity/useAround.ts'
import { useMay } from '../../../session/caller.ts'

const ScanDialog = lazy(() =>
  import('../../entity/head/actions/ScanDialog.tsx').then(({ ScanDialog }) => ({ default: ScanDialog })),
)

const SCANNED: readonly string[] = ['ip', 'domain']

/** A value that no entity has: what it is, what is known around it, and what can be done about it; or what was meant. */
export function UnknownValue({ text }: { text: string }) {
  const { data } = useAround(text)
  if (data === undefined || data.known === true) return null
  return data.type === null ? <DidYouMean of={data} /> : <Unknown of={data} type={data.type} />
}

function DidYouMean({ of: { suggestions } }: { of: AroundAnswer }) {
  if (suggestions.length === 0) return null
  return (
    <Group gap="xs" data-testid="did-you-mean">
      <Text size="sm">Did you mean</Text>
      {suggestions.map(({ type, value }) => (
        <Anchor
          key={`${type} ${value}`}
          component={Link}
          href={`/search?q=${encodeURIComponent(value)}`}
          className="value"
          size="sm"
          underline="always"
        >
          {value}
        </Anchor>
      ))}
    </Group>
  )
}

function Unknown({ of, type }: { of: AroundAnswer; type: string }) {
  const [scanning, setScanning] = useState(false)
  const [mayReport, mayScan] = [useMay('reporter'), useMay('user')]
  const { value, location, coveredBy } = of
  const place = location && [location.country, location.asn === null ? '' : `AS${location.asn}`, location.aso]
  const report = `/report?type=${encodeURIComponent(type)}&value=${encodeURIComponent(value)}`
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby="unknown-value" data-testid="unknown-value">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h5" id="unknown-value">
            This value was not reported
          </Title>
          <Text size="sm">There is no report about it that you may read. This is what is known around it.</Text>
        </div>
        {place && (
          <Text size="sm" data-testid="location">
            Location: {place.some(Boolean) ? place.filter(Boolean).join(' · ') : 'not known'}
          </Text>
        )}
        {coveredBy?.length === 0 && <Text size="sm">It is in no known network.</Text>}
        <DidYouMean of={of} />
        <AroundLists of={of} />
        <Group gap="xs">
          {mayReport && (
            <Button component={Link} href={report} size="xs" variant="default">
              Report it
            </Button>
          )}
          {mayScan && SCANNED.includes(type) && (
            <Button size="xs" variant="default" onClick={() => setScanning(true)}>
              Scan it
            </Button>
          )}
        </Group>
        {scanning && (
          <Suspense fallback={null}>
            <ScanDialog entity={{ value }} close={() => setScanning(false)} />
          </Suspense>
        )}
      </Stack>
    </Paper>
  )
}
