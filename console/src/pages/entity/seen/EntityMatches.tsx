import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { MatchDialog } from '../../../parts/match/MatchDialog.tsx'
import { MatchTable } from '../../../parts/match/MatchTable.tsx'
import type { Match } from '../../../parts/match/match.ts'
import { useMatches } from '../../../parts/match/useMatches.ts'

const PAGE = 20

/** Matches with one entity, newest first. */
export function EntityMatches({ id }: { id: string }) {
  const answer = useMatches({ direction: null, entity: id, within: null }, PAGE)
  const [opened, setOpened] = useState<Match | null>(null)
  return (
    <Stack gap="sm" component="section" aria-labelledby="matches">
      <Title order={2} size="h4" id="matches">
        Matches with this entity
      </Title>
      <QueryResult of={answer}>
        {({ pages }) => {
          const matches = pages.flatMap(({ items }) => items)
          if (matches.length === 0)
            return (
              <Text size="sm">There are no matches. The settings of matching say which entities are looked for.</Text>
            )
          return (
            <>
              <MatchTable matches={matches} open={setOpened} />
              <Anchor component={Link} href={`/matches?entity=${encodeURIComponent(id)}`} size="sm" underline="always">
                See them on the page Matches
              </Anchor>
            </>
          )
        }}
      </QueryResult>
      {answer.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          w="fit-content"
          loading={answer.isFetchingNextPage}
          onClick={() => void answer.fetchNextPage()}
        >
          Show older matches
        </Button>
      )}
      {opened !== null && <MatchDialog match={opened} close={() => setOpened(null)} />}
    </Stack>
  )
}
