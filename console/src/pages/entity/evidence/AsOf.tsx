import { Button, Group, Text, TextInput } from '@mantine/core'
import { formatAgo, formatInstant } from '../../../parts/time/RelativeTime.tsx'

type Props = { at: string | null; choose: (at: string | null) => void }

/** The moment at which the claims are evaluated, with a field to choose another one, future ones too. UTC. */
export function AsOf({ at, choose }: Props) {
  const time = at === null ? Number.NaN : new Date(/^\d+$/.test(at) ? Number(at) : at).getTime()
  const known = Number.isFinite(time)
  return (
    <Group gap="sm" align="end">
      <TextInput
        type="datetime-local"
        label="As of (UTC)"
        size="xs"
        value={known ? new Date(time).toISOString().slice(0, 16) : ''}
        onChange={({ currentTarget: { value } }) => {
          const chosen = Date.parse(`${value}Z`)
          choose(Number.isFinite(chosen) ? new Date(chosen).toISOString() : null)
        }}
      />
      <Text size="sm" role="status" data-testid="as-of" pb={6}>
        {at === null ? 'Now' : known ? `${formatInstant(time)}, ${formatAgo(time)}` : 'Not a valid time'}
      </Text>
      {at !== null && (
        <Button size="xs" variant="default" onClick={() => choose(null)}>
          Back to now
        </Button>
      )}
    </Group>
  )
}
