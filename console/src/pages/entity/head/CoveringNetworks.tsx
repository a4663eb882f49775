import { Group, Stack, Text } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { EntityLink } from '../../../parts/entity/EntityLink.tsx'
import { Reputation } from '../../../parts/entity/ScoreBadge.tsx'

const SHOWN = 5

/** The known networks that an address lies in, most specific first. */
export function CoveringNetworks({ id }: { id: string }) {
  const entity = api.useQuery('get', '/api/search/v1/entity/{id}', { params: { path: { id } } })
  const networks = entity.data?.coveredBy ?? []
  if (networks.length === 0) return null
  return (
    <Stack gap={4} data-testid="covering">
      <Text size="xs" c="dimmed">
        Part of
      </Text>
      {networks.slice(0, SHOWN).map((network) => (
        <Group key={network.id} gap="xs">
          <EntityLink id={network.id} value={network.value} />
          <Reputation of={network.reputation} />
          {network.wellKnown && <Text size="xs">well known</Text>}
          {network.tags.length > 0 && (
            <Text size="xs" c="dimmed">
              {network.tags.slice(0, SHOWN).join(', ')}
            </Text>
          )}
        </Group>
      ))}
      {networks.length > SHOWN && <Text size="xs">and {networks.length - SHOWN} more</Text>}
    </Stack>
  )
}
