import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { RoleRequired } from '../../parts/access/RoleRequired.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { useParameter } from '../../parts/page/useParameter.ts'
import { FeedDetail } from './FeedDetail.tsx'
import { FeedList } from './FeedList.tsx'
import { FeedForm } from './form/FeedForm.tsx'

/** `/feeds?id=`: lists that leave the platform, one of them, and a form to define another. */
export default function Feeds() {
  return (
    <Page
      title="Feeds"
      about="Lists that firewalls, resolvers and SIEMs download. They follow what is known, removals too."
    >
      <RoleRequired needs="user" purpose="To publish feeds">
        <Body />
      </RoleRequired>
    </Page>
  )
}

function Body() {
  const [id, setId] = useParameter('id')
  const [defining, setDefining] = useState(false)
  if (id !== null) return <FeedDetail key={id} id={id} close={() => setId('')} />
  return (
    <Stack gap="lg">
      {defining ? (
        <FeedForm
          done={(made) => {
            setDefining(false)
            if (made !== null) setId(made.id)
          }}
        />
      ) : (
        <Group>
          <Button onClick={() => setDefining(true)}>New feed</Button>
        </Group>
      )}
      <FeedList open={setId} />
    </Stack>
  )
}
