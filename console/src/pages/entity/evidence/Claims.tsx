import { Badge, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { ReporterName } from '../../../parts/entity/ReporterName.tsx'
import { ClaimedReputation } from '../../../parts/entity/ScoreBadge.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { Pager } from '../../../parts/tables/Pager.tsx'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'
import type { EvidenceClaim } from '../answers.ts'
import { EntityTable } from '../EntityTable.tsx'
import { formatAge } from './age.ts'
import { Contribution } from './Contribution.tsx'

const ROWS = 50

/** The claims behind a score, the weightiest first, with their contributions. */
export function Claims({ claims, items }: { claims: readonly EvidenceClaim[]; items: number }) {
  const [page, setPage] = useState(1)
  if (claims.length === 0)
    return (
      <EmptyState title="No claims at that time">
        No report was visible to you by then, or all reports were retracted.
      </EmptyState>
    )
  const pages = Math.ceil(claims.length / ROWS)
  const from = (Math.min(page, pages) - 1) * ROWS
  return (
    <Stack gap="xs">
      <EntityTable label="Claims" minWidth={760}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Source</Table.Th>
            <Table.Th>Reputation</Table.Th>
            <Table.Th ta="right">Age</Table.Th>
            <Table.Th ta="right">Trust</Table.Th>
            <Table.Th ta="right">Weight</Table.Th>
            <Table.Th ta="right">Share</Table.Th>
            <Table.Th ta="right">Contribution</Table.Th>
            <Table.Th>Visible to</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {claims.slice(from, from + ROWS).map((claim, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a claim has no id; the rows of one answer keep their order
            <ClaimRow key={from + i} claim={claim} />
          ))}
        </Table.Tbody>
      </EntityTable>
      {items > claims.length && (
        <Text size="sm">
          The {claims.length.toLocaleString('en')} claims with the most weight are listed, of{' '}
          {items.toLocaleString('en')}.
        </Text>
      )}
      <Pager page={Math.min(page, pages)} pages={pages} items={claims.length} change={setPage} />
    </Stack>
  )
}

function ClaimRow({ claim }: { claim: EvidenceClaim }) {
  const {
    sourceKind,
    reporter,
    mine,
    reputation,
    trust,
    firstSeen,
    lastSeen,
    ageSeconds,
    weight,
    share,
    live,
    visibleBy,
  } = claim
  return (
    <Table.Tr data-testid="claim">
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <ReporterName of={reporter} />
          {sourceKind === 'scan' && <Text size="sm">by a scan</Text>}
          {mine && reporter.kind !== 'you' && (
            <Badge size="sm" variant="outline" tt="none" miw="max-content">
              yours
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        {reputation === null ? <Text size="sm">sighting</Text> : <ClaimedReputation of={reputation} />}
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        <time dateTime={lastSeen} title={`last seen ${formatInstant(lastSeen)}, first ${formatInstant(firstSeen)}`}>
          {formatAge(ageSeconds)}
        </time>
        {reputation !== null && !live && (
          <Text size="xs" c="dimmed">
            expired
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{trust.toFixed(2)}</Table.Td>
      <Table.Td ta="right" data-testid="weight">
        {weight.toFixed(3)}
      </Table.Td>
      <Table.Td ta="right" data-testid="share">
        {(100 * share).toFixed(1)} %
      </Table.Td>
      <Table.Td>
        <Contribution of={claim.contribution} />
      </Table.Td>
      <Table.Td>{visibleBy.join(', ')}</Table.Td>
    </Table.Tr>
  )
}
