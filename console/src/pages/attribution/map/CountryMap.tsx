import { Box, Group, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Loading } from '../../../parts/feedback/Loading.tsx'
import { placedOf } from './placed.ts'
import { shades } from './shades.ts'

type Props = {
  buckets: readonly { key: string; count: number }[]
  malicious: boolean
  /** The search that explains the count of a country. */
  linkTo: (country: string) => string
}

// The outline of the world is larger than the page.
const World = lazy(() => import('./World.tsx'))

/** The world, in a stronger colour and with a number where more is. Each country with a number leads to its search. */
export function CountryMap({ buckets, malicious, linkTo }: Props) {
  const placed = placedOf(buckets, malicious, linkTo)
  const most = [...placed.values()].slice(0, 3).map(({ title }) => title)
  const label = `World map with ${placed.size} countries. Most: ${most.join(', ')}. The table has all numbers.`
  return (
    <>
      <Suspense fallback={<Loading height={420} />}>
        <World placed={placed} label={label} />
      </Suspense>
      <Group gap={12} mt={4} aria-hidden>
        <Text size="xs">Entities, few to many:</Text>
        <Group gap={2}>
          {shades(malicious).map(({ fill }) => (
            <Box key={fill} w={22} h={12} bg={fill} />
          ))}
        </Group>
      </Group>
    </>
  )
}
