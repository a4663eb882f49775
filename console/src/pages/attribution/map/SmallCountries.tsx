import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { nameOfCode } from './countries.ts'
import type { Placed } from './placed.ts'
import { shortCount } from './shades.ts'
import { SHAPES } from './shapes.ts'

const DRAWN: ReadonlySet<string | null> = new Set(SHAPES.map(({ code }) => code))

/** Countries with a number that are too small for the map, each with the link to its search. */
export function SmallCountries({ placed }: { placed: ReadonlyMap<string, Placed> }) {
  const small = [...placed].filter(([code]) => !DRAWN.has(code))
  if (small.length === 0) return null
  return (
    <Group gap={6} mt={4}>
      <Text size="xs">Too small for the map:</Text>
      {small.map(([code, { title, link, shade, count }]) => (
        <Anchor
          key={code}
          component={Link}
          href={link}
          title={title}
          size="xs"
          px={6}
          py={4}
          c={shade.ink}
          bg={shade.fill}
          style={{ borderRadius: 3 }}
          data-testid="country-of-map"
          data-code={code}
        >
          {nameOfCode(code)} {shortCount(count)}
        </Anchor>
      ))}
    </Group>
  )
}
