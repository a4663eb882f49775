import { Stack, Text, Title } from '@mantine/core'
import { CopiedBlock } from '../../parts/copy/CopiedBlock.tsx'
import { edgeBlocks } from './products/edge.ts'

/** How to answer from the feed next to what asks. `token`: one that was made a moment ago. */
export function EdgeLines({ id, token }: { id: string; token: string | null }) {
  return (
    <Stack gap="sm" data-testid="edge">
      <Title order={3} size="h5">
        Answers next to a sensor
      </Title>
      <Text size="sm">
        For programs that ask about one value at a time: an edge follows this feed and answers on their machine, over
        HTTP, redis, memcached and DNS.
        {token === null && ' It needs a download token in the file edge.token: create one above.'}
      </Text>
      {edgeBlocks(window.location.origin, id, token).map((block) => (
        <CopiedBlock key={block.where} block={block} />
      ))}
    </Stack>
  )
}
