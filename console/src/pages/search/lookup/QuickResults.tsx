import { Group, Select, Text } from '@mantine/core'
import { INDICATOR_KINDS, type IndicatorKind } from '../../../parts/indicators/kinds.ts'
import { recognise } from '../../../parts/indicators/recognise.ts'
import { ofSearch } from '../../../parts/watch/suggest.ts'
import { WatchButton } from '../../../parts/watch/WatchButton.tsx'
import type { Go, SearchAddress } from '../question/address.ts'
import { useSearchAnswer } from '../question/request.ts'
import { Results } from '../results/Results.tsx'
import { DecidedBy } from './DecidedBy.tsx'
import { ExactHits } from './ExactHits.tsx'
import { lookupRequest } from './lookup-request.ts'
import { useExactLookup } from './queries.ts'
import { UnknownValue } from './UnknownValue.tsx'

const CHOICE = Object.entries(INDICATOR_KINDS).map(([value, { label }]) => ({ value, label }))

/** The results for one value: its recognised kind, its entity, and all entities that carry it. */
export function QuickResults({ address, go, text }: { address: SearchAddress; go: Go; text: string }) {
  const found = recognise(text)
  const kind = address.as ?? found.kind
  const chosen = address.as !== null && address.as !== found.kind
  // As words, what was pasted is not read any further.
  const value = kind === 'text' ? text : found.value
  const exact = useExactLookup(
    { ...found, kind, value },
    chosen && kind !== 'text' && kind !== 'id' ? INDICATOR_KINDS[kind].types : null,
  )
  const asking = lookupRequest(kind, value, chosen)
  const { index, sort, order, page, limit } = address
  const answer = useSearchAnswer({ ...asking, index, sort, order, page, limit, after: null })
  const nothing = exact.data?.entities.length === 0 && (kind !== 'text' || answer.data?.items === 0)
  return (
    <>
      <Group gap="xs" align="center">
        <Select
          size="xs"
          w={220}
          label="Treat as"
          data={CHOICE}
          value={kind}
          allowDeselect={false}
          onChange={(as) => go({ as: as === found.kind ? null : (as as IndicatorKind) })}
        />
        <Text size="sm" mt={{ base: 0, sm: 'lg' }} component="p" mb={0} data-testid="taken">
          {chosen ? INDICATOR_KINDS[kind].label : found.label}
          {found.defanged && kind !== 'text' ? ', defanged' : ''}: <span className="value">{clip(value)}</span>.{' '}
          {asking.route === 'simple'
            ? 'Searched in all attributes.'
            : `Searched ${kind === 'id' ? 'by entity id' : 'only in attributes of this kind'}.`}{' '}
          {!chosen && found.note}
        </Text>
        <WatchButton suggestions={ofSearch(kind, value)} />
      </Group>
      <ExactHits of={exact} />
      {!chosen && DECIDED.includes(kind) && <DecidedBy value={value} known={exact.data} />}
      {nothing && !chosen && kind !== 'id' && kind !== 'asn' && <UnknownValue text={value} />}
      <Results
        request={{ ...asking, index, sort, order, page, limit, after: null }}
        answer={answer}
        address={address}
        go={go}
      />
    </>
  )
}

/** Kinds of values that something else may decide for. */
const DECIDED: readonly IndicatorKind[] = ['ip', 'cidr', 'domain', 'url', 'email']

const clip = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
