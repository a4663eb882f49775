import { NumberInput, SegmentedControl, SimpleGrid, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { definitions } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import { refang } from '../../../../../schemas/intelligence/ingest/refang.ts'
import { countryOptions } from '../CountryInput.tsx'
import { COUNTRY_NAMES, countriesFault, readCountries } from '../countries.ts'
import type { SelectorFaults } from './selector-faults.ts'
import { type SelectorFields, WELL_KNOWN, type WellKnown } from './selector-form.ts'

type Props = { value: SelectorFields; faults: SelectorFaults; change: (value: SelectorFields) => void }

/** Types of the catalogue, which are suggested while one is typed. */
const TYPES = definitions().map(({ type }) => type)
const SUGGESTED = 12

/** Values are pasted defanged; what the platform lists is not. */
const refangLines = (text: string): string => text.split('\n').map(refang).join('\n')

const WELL_KNOWN_LABELS: Record<WellKnown, string> = { no: 'Leave out', only: 'Only these', any: 'Also these' }

/** The parts of a selector: an entity is chosen when all that are given hold. */
export function SelectorInputs({ value, faults, change }: Props) {
  const set = (given: Partial<SelectorFields>): void => change({ ...value, ...given })
  type Listed = 'types' | 'anyTags' | 'allTags' | 'noTags' | 'cidr' | 'asn'
  const tags = (name: Listed, label: string, description: string, data: string[] = []) => (
    <TagsInput
      label={label}
      description={description}
      value={value[name]}
      onChange={(given) => set({ [name]: name === 'cidr' ? given.map(refang) : given })}
      error={faults[name]}
      data={data}
      limit={SUGGESTED}
      splitChars={[',']}
      clearable
    />
  )
  const number = (name: 'worst' | 'best' | 'accuracy' | 'accuracyTo', label: string, min: number) => (
    <NumberInput
      label={label}
      min={min}
      max={3}
      allowDecimal={false}
      value={value[name]}
      error={faults[name]}
      onChange={(given) => set({ [name]: given === '' ? '' : Number(given) })}
    />
  )
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {tags('types', 'Types', 'ip, cidr, domain, url, sha256 …; empty: all', TYPES)}
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          {number('worst', 'Reputation from', -3)}
          {number('best', 'Reputation to', -3)}
          {number('accuracy', 'Accuracy from', 0)}
          {number('accuracyTo', 'Accuracy to', 0)}
        </SimpleGrid>
        {tags('anyTags', 'With any of these tags', 'one is enough')}
        {tags('allTags', 'With all of these tags', 'none may be missing')}
        {tags('noTags', 'Without these tags', 'none may be there')}
        <TextInput
          label="Seen within"
          description="1h to 3650d; entities not seen since then are left out"
          placeholder="30d"
          value={value.seenWithin}
          error={faults.seenWithin}
          onChange={(event) => set({ seenWithin: event.currentTarget.value })}
        />
        {tags('cidr', 'Within networks', 'addresses and networks inside of one of these')}
        {tags('asn', 'AS numbers', 'of addresses')}
        <TagsInput
          label="Countries"
          description="by English name or two-letter code"
          value={value.country}
          onChange={(given) => set({ country: readCountries(given) })}
          error={faults.country ?? countriesFault(value.country)}
          data={COUNTRY_NAMES}
          filter={countryOptions}
          limit={SUGGESTED}
          splitChars={[';']}
          clearable
        />
        <TextInput
          label="Below the name"
          description="example.com includes a.example.com"
          value={value.suffix}
          error={faults.suffix}
          onChange={(event) => set({ suffix: refang(event.currentTarget.value) })}
        />
        <TextInput
          label="Value begins with"
          value={value.prefix}
          error={faults.prefix}
          onChange={(event) => set({ prefix: refang(event.currentTarget.value) })}
        />
        <Textarea
          label="Only these values"
          description="one per line; defanged values are accepted"
          autosize
          maxRows={8}
          value={value.values}
          error={faults.values}
          onChange={(event) => set({ values: refangLines(event.currentTarget.value) })}
        />
      </SimpleGrid>
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          Well-known entities
        </Text>
        <SegmentedControl
          aria-label="Well-known entities"
          w="fit-content"
          value={value.wellKnown}
          onChange={(given) => set({ wellKnown: given as WellKnown })}
          data={WELL_KNOWN.map((name) => ({ value: name, label: WELL_KNOWN_LABELS[name] }))}
        />
      </Stack>
    </Stack>
  )
}
