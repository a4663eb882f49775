import { Anchor, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { CopiedBlock } from '../../../parts/copy/CopiedBlock.tsx'
import { LoopbackNotice } from '../../../parts/copy/LoopbackNotice.tsx'
import { choice } from '../../../parts/page/choice.ts'
import { useParameter } from '../../../parts/page/useParameter.ts'
import { firstTry, SENSORS } from './sensors.ts'

const NAMES = SENSORS.map(({ name }) => name)

/** Lines that bring telemetry in: a first try, then those of a sensor, which is in the address. */
export function SensorLines() {
  const [chosen, choose] = useParameter('sensor')
  const name = choice(NAMES, chosen, NAMES[0]!)
  const sensor = SENSORS.find((one) => one.name === name)!
  const url = window.location.origin
  return (
    <Stack gap="sm" data-testid="sensors">
      <LoopbackNotice />
      <Title order={2} size="h4">
        Send telemetry
      </Title>
      <Text size="sm">
        Every method requires a key pair of an account with the role user.{' '}
        <Anchor component={Link} href="/account/keys" inherit underline="always">
          Make a key pair
        </Anchor>{' '}
        and insert it where the lines show it. The events, their fields and all formats are described in{' '}
        <Anchor href="/help/integrate/telemetry/" inherit underline="always">
          Telemetry
        </Anchor>
        ; the route is in the{' '}
        <Anchor href="/docs" inherit underline="always">
          reference of the API
        </Anchor>
        .
      </Text>
      {firstTry(url).map((block) => (
        <CopiedBlock key={block.where} block={block} />
      ))}
      <Title order={2} size="h4">
        Lines for a sensor
      </Title>
      <SegmentedControl aria-label="Sensor" w="fit-content" size="xs" value={name} onChange={choose} data={NAMES} />
      <Text size="sm">{sensor.about}</Text>
      {sensor.blocks(url).map((block) => (
        <CopiedBlock key={block.where} block={block} />
      ))}
    </Stack>
  )
}
