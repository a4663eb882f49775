import { Stack, Tabs } from '@mantine/core'
import { useParams } from 'wouter'
import { api } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { Page } from '../../parts/page/Page.tsx'
import { Attributes } from './Attributes.tsx'
import { ActionStatus } from './action-status/ActionStatus.tsx'
import { useActionStatus } from './action-status/useActionStatus.ts'
import { useAddress } from './address.ts'
import type { Details } from './answers.ts'
import { Comments } from './comments/Comments.tsx'
import { EvidenceTab } from './evidence/EvidenceTab.tsx'
import { Actions } from './head/actions/Actions.tsx'
import { Head } from './head/Head.tsx'
import { useStanding } from './head/useStanding.ts'
import { HistoryTab } from './history/HistoryTab.tsx'
import { RelationsTab } from './relations/RelationsTab.tsx'
import { SeenTab } from './seen/SeenTab.tsx'
import { useMaySee } from './seen/useMaySee.ts'
import { UnknownEntity } from './UnknownEntity.tsx'

const TABS = ['evidence', 'attributes', 'history', 'relations', 'comments'] as const
const SEEN = 'seen'
const TITLE_LENGTH = 120

/** All about one entity: `/entity/<id>?tab=relations`. */
export default function Entity() {
  const { id } = useParams<{ id: string }>()
  const details = api.useQuery('get', '/api/analytics/v1/entity/{id}/details', { params: { path: { id } } })
  const status = details.error === null ? null : asProblem(details.error).status
  // The platform refuses a malformed id with 400.
  if (details.data === undefined && (status === 404 || status === 400)) return <UnknownEntity id={id} />
  const { value = 'Entity', label } = details.data ?? {}
  const title = value.length > TITLE_LENGTH ? `${value.slice(0, TITLE_LENGTH)}…` : value
  return (
    <Page title={title} about={label}>
      <QueryResult of={details}>{(entity) => <EntityContent key={entity.id} entity={entity} />}</QueryResult>
    </Page>
  )
}

function EntityContent({ entity }: { entity: Details }) {
  const [params, say] = useAddress()
  const { status, forget, acknowledged, renew } = useActionStatus(entity)
  const standing = useStanding(entity.id)
  const maySee = useMaySee(entity.type)
  const tabs = maySee ? [...TABS, SEEN] : TABS
  const tab = tabs.find((name) => name === params.get('tab')) ?? 'evidence'
  return (
    <Stack gap="md">
      <div>
        <Actions entity={entity} standing={standing} acknowledged={acknowledged} />
        <ActionStatus status={status} close={forget} />
      </div>
      <Head entity={entity} standing={standing} />
      <Tabs
        value={tab}
        onChange={(to) => say({ tab: to, page: null, types: null, mode: null })}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <Tabs.List mb="md" aria-label="Parts of this page">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name} tt={name === SEEN ? undefined : 'capitalize'}>
              {name === SEEN ? 'Seen here' : name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="evidence">
          <EvidenceTab id={entity.id} />
        </Tabs.Panel>
        <Tabs.Panel value="attributes">
          <Attributes attributes={entity.extended_metadata} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistoryTab entity={entity} />
        </Tabs.Panel>
        <Tabs.Panel value="relations">
          <RelationsTab entity={entity} acknowledged={acknowledged} />
        </Tabs.Panel>
        {maySee && (
          <Tabs.Panel value={SEEN}>
            <SeenTab entity={entity} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="comments">
          <Comments id={entity.id} added={() => void renew()} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
