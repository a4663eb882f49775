import { Autocomplete, Button, Group, Select, TagsInput, TextInput } from '@mantine/core'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { moments } from '../../../../../schemas/intelligence/search/values/dates.ts'
import { CountryInput, countryOptions } from '../../../parts/form/CountryInput.tsx'
import { COUNTRY_NAMES, countriesFault, readCountries } from '../../../parts/form/countries.ts'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'
import type { Index } from '../question/address.ts'
import { kindOf } from '../question/fields.ts'
import type { Condition } from './model.ts'

const WIDE = { flex: '2 1 180px', minWidth: 0 }
const TYPES = definitions().map(({ type }) => type)
const DATES = ['now', 'now-1h', 'now-24h', 'now-7d/d', 'now-30d/d', 'now-90d/d', 'now/d', 'now-1d/d', 'now/M', 'now-1y']

/** Where the platform has names of countries. */
const isCountry = (field: string): boolean => field === 'country' || field === 'attributes.country'

type Props = { row: Condition; index: Index; change: (row: Condition) => void }

/** The input for the value of a condition, by the kind of the field and the operator. */
export function ValueInput({ row, index, change }: Props) {
  const kind = kindOf(row.field, index)
  const put = (to: Partial<Condition>) => change({ ...row, ...to })
  if (row.op === 'exists') return null
  const ofCountries = isCountry(row.field)
  if (ofCountries && row.op === 'is')
    return (
      <CountryInput
        size="xs"
        style={WIDE}
        aria-label="Value"
        placeholder="Germany or DE"
        value={row.value}
        change={(value) => put({ value })}
      />
    )
  if (row.op === 'oneOf')
    return (
      <TagsInput
        size="xs"
        style={WIDE}
        aria-label="Values"
        placeholder={row.values.length === 0 ? 'Press Enter after each value' : ''}
        data={row.field === 'type' ? TYPES : ofCountries ? COUNTRY_NAMES : []}
        {...(ofCountries && { filter: countryOptions, limit: 12, error: countriesFault(row.values) })}
        maxTags={1_000}
        // Names of countries may have a comma.
        splitChars={ofCountries ? [';', '\n'] : [',', '\n']}
        value={row.values}
        onChange={(values) => put({ values: ofCountries ? readCountries(values) : values })}
      />
    )
  if (row.op === 'range')
    return (
      <Group gap={4} style={WIDE} wrap="nowrap">
        <BoundToggle open={row.fromOpen} signs={['≥', '>']} what="From" turn={() => put({ fromOpen: !row.fromOpen })} />
        <SingleValue label="From" kind={kind} value={row.from} change={(from) => put({ from })} />
        <BoundToggle open={row.toOpen} signs={['≤', '<']} what="To" turn={() => put({ toOpen: !row.toOpen })} />
        <SingleValue label="To" kind={kind} value={row.to} change={(to) => put({ to })} />
      </Group>
    )
  if (kind === 'boolean')
    return (
      <Select
        size="xs"
        style={WIDE}
        aria-label="Value"
        placeholder="true or false"
        data={['true', 'false']}
        value={row.value || null}
        onChange={(value) => put({ value: value ?? '' })}
      />
    )
  if (row.field === 'type')
    return (
      <Autocomplete
        size="xs"
        style={WIDE}
        aria-label="Value"
        placeholder="ip, domain, url …"
        data={TYPES}
        limit={30}
        value={row.value}
        onChange={(value) => put({ value })}
      />
    )
  return (
    <div style={WIDE}>
      <SingleValue label="Value" kind={kind} value={row.value} change={(value) => put({ value })} />
    </div>
  )
}

type OneProps = { label: string; kind: ReturnType<typeof kindOf>; value: string; change: (value: string) => void }

function SingleValue({ label, kind, value, change }: OneProps) {
  if (kind !== 'date')
    return (
      <TextInput
        size="xs"
        aria-label={label}
        value={value}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        error={kind === 'number' && value.trim() !== '' && !Number.isFinite(Number(value)) && 'Enter a number'}
        maxLength={4_096}
        style={{ flex: 1, minWidth: 0 }}
        onChange={(event) => change(event.currentTarget.value)}
      />
    )
  const parsed = value.trim() === '' ? null : moments(value, Date.now())
  return (
    <Autocomplete
      size="xs"
      aria-label={label}
      placeholder="now-7d/d"
      data={DATES}
      // What is there is no reason to hide the others.
      filter={({ options }) => options}
      value={value}
      error={parsed !== null && 'reason' in parsed && 'Enter a date such as 2026-11-20 or now-7d/d'}
      title={parsed !== null && 'first' in parsed ? formatInstant(parsed.first) : undefined}
      maxLength={128}
      style={{ flex: 1, minWidth: 0 }}
      onChange={change}
    />
  )
}

type BoundProps = { open: boolean; signs: [closed: string, open: string]; what: string; turn: () => void }

function BoundToggle({ open, signs, what, turn }: BoundProps) {
  const says = `${what}: ${open ? 'exclusive' : 'inclusive'} bound`
  return (
    <Button size="xs" px={6} variant="default" onClick={turn} aria-label={says} title={says}>
      {open ? signs[1] : signs[0]}
    </Button>
  )
}
