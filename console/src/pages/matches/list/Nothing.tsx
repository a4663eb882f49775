import { Button, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { SensorLines } from '../sensors/SensorLines.tsx'

/** No match is shown: because of the filters, or because there is none, and then how telemetry comes in. */
export function Nothing({ narrowed }: { narrowed: boolean }) {
  if (narrowed)
    return (
      <EmptyState title="No match fits the filters">
        <Button size="compact-sm" variant="default" component={Link} href="/matches">
          Show all matches
        </Button>
      </EmptyState>
    )
  return (
    <Stack gap="md">
      <EmptyState title="No matches yet">
        <Text size="sm">
          Your telemetry has matched no indicator so far, or no telemetry has arrived. Send the events of your sensors:
          each event is matched when it arrives, and again when new indicators become known.
        </Text>
      </EmptyState>
      <SensorLines />
    </Stack>
  )
}
