import { Autocomplete, type AutocompleteProps, type ComboboxItem, type OptionsFilter } from '@mantine/core'
import { useState } from 'react'
import { COUNTRY_NAMES, fitsCountry, readCountry } from './countries.ts'

/** Suggestions for fields of countries. */
export const countryOptions: OptionsFilter = ({ options, search, limit }) =>
  (options as ComboboxItem[]).filter(({ label }) => fitsCountry(label, search)).slice(0, limit)

type Props = Omit<AutocompleteProps, 'data' | 'value' | 'onChange' | 'onBlur' | 'filter' | 'limit'> & {
  value: string
  change: (value: string) => void
}

const MAX_NAME = 256

/** A country by its name or its code: what is left is written as the platform writes it, or has a fault. */
export function CountryInput({ value, change, error, ...rest }: Props) {
  const [typing, setTyping] = useState(false)
  const read = value.trim() === '' ? null : readCountry(value)
  const fault = !typing && read !== null && 'fault' in read ? read.fault : undefined
  return (
    <Autocomplete
      autoComplete="off"
      maxLength={MAX_NAME}
      {...rest}
      data={COUNTRY_NAMES}
      filter={countryOptions}
      limit={8}
      value={value}
      error={error || fault}
      onChange={(text) => {
        setTyping(true)
        change(text)
      }}
      onBlur={() => {
        setTyping(false)
        if (read !== null && 'name' in read && read.name !== value) change(read.name)
      }}
    />
  )
}
