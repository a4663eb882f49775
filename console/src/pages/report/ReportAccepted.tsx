import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'wouter'

type Props = { id: string; size: number; again: () => void }

/** The report is durable: where its entity is found in a moment. */
export function ReportAccepted({ id, size, again }: Props) {
  return (
    <Alert color="teal" variant="light" icon={<IconCheck aria-hidden />} title="Report accepted" role="status">
      <Stack gap="xs" align="start">
        <Text size="sm">
          {size === 1 ? 'The entity is' : `All ${size.toLocaleString('en')} entities are`} stored and will be evaluated
          shortly.
        </Text>
        <Anchor component={Link} href={`/entity/${id}`} size="sm" className="value" underline="always">
          {id}
        </Anchor>
        <Group gap="sm">
          <Button component={Link} href={`/entity/${id}`} size="xs">
            Open the entity
          </Button>
          <Button size="xs" variant="default" onClick={again}>
            Report another
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
