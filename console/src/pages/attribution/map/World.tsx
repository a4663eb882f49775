import { Box } from '@mantine/core'
import { Outline } from './Outline.tsx'
import type { Placed } from './placed.ts'
import { SmallCountries } from './SmallCountries.tsx'

/** Narrower, countries would be too small for a finger. */
const WIDTHS = { minWidth: 860, maxWidth: 1_100 }

/** The outline of the world, and what is too small for it. */
export default function World({ placed, label }: { placed: ReadonlyMap<string, Placed>; label: string }) {
  return (
    <>
      <Box style={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label="Map of countries" data-testid="map">
        <Box style={WIDTHS}>
          <Outline placed={placed} label={label} />
        </Box>
      </Box>
      <SmallCountries placed={placed} />
    </>
  )
}
