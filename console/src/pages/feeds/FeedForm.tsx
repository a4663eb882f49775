import { Button, Checkbox, Group, NumberInput, Paper, Stack, TagsInput, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { client } from '../../api/client.ts'
import { useRefresh } from '../../api/refresh.ts'
import { Json } from '../../parts/copy/Json.tsx'
import { ErrorAlert } from '../../parts/feedback/ErrorAlert.tsx'
import { useCaller, useMay } from '../../session/caller.ts'
import { Preview } from './Preview.tsx'
import { SelectorInputs } from './SelectorInputs.tsx'
import { type Feed, fieldsOf, selectorOf, USUAL } from './selector-form.ts'

type Props = {
  /** The feed that is changed; absent: a new one. */
  feed?: Feed
  /** With the feed as it is now; null: nothing was done. */
  done: (feed: Feed | null) => void
}

/** Defines a feed, or changes one. Its readers cannot be changed: that would be another list. */
export function FeedForm({ feed, done }: Props) {
  const [name, setName] = useState(feed?.name ?? '')
  const [fields, setFields] = useState(feed === undefined ? USUAL : fieldsOf(feed.selector))
  const [cap, setCap] = useState<number | ''>(feed?.cap ?? '')
  const [guarded, setGuarded] = useState(feed?.guard !== null)
  const [groups, setGroups] = useState<string[]>([])
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [sending, setSending] = useState(false)
  const refresh = useRefresh()
  const trusted = useMay('trusted')
  const caller = useCaller()
  const selector = selectorOf(fields)

  async function send(): Promise<Feed> {
    const common = { name, selector, cap: cap === '' ? null : cap, guard: guarded ? {} : null }
    if (feed !== undefined) {
      const answer = await client.PATCH('/api/feeds/v1/feeds/{id}', { params: { path: { id: feed.id } }, body: common })
      return answer.data!
    }
    const readers = open ? { groups: ['public'], open } : groups.length === 0 ? {} : { groups }
    const answer = await client.POST('/api/feeds/v1/feeds', { body: { ...common, ...readers } })
    return answer.data!
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setError(null)
    setSending(true)
    try {
      const made = await send()
      await refresh('/api/feeds/v1/feeds', '/api/feeds/v1/feeds/{id}')
      done(made)
    } catch (refused) {
      setError(refused)
    } finally {
      setSending(false)
    }
  }

  return (
    <Paper withBorder p="md">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <Title order={2} size="h4">
            {feed === undefined ? 'New feed' : `Change ${feed.name}`}
          </Title>
          <TextInput
            label="Name"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <SelectorInputs value={fields} change={setFields} />
          <Preview selector={selector} />
          <Group align="end" gap="md">
            <NumberInput
              label="Most items"
              description="the worst come first; empty: all"
              min={1}
              max={10_000_000}
              allowDecimal={false}
              value={cap}
              onChange={(given) => setCap(given === '' ? '' : Number(given))}
            />
            <Checkbox
              label="Hold steps that lose half of the list, or make it four times as long"
              checked={guarded}
              onChange={(event) => setGuarded(event.currentTarget.checked)}
            />
          </Group>
          {feed === undefined && (
            <Group align="end" gap="md">
              <TagsInput
                label="Readers"
                description="a reader is in all of these groups; empty: all of yours"
                value={groups}
                onChange={setGroups}
                disabled={open}
                data={[...(caller?.groups ?? [])]}
              />
              {trusted && (
                <Checkbox
                  label="Everybody may read it, without credentials"
                  checked={open}
                  onChange={(event) => setOpen(event.currentTarget.checked)}
                />
              )}
            </Group>
          )}
          <Json title="Selector" of={selector} rows={200} />
          {error !== null && <ErrorAlert error={error} />}
          <Group gap="sm">
            <Button type="submit" loading={sending} disabled={name.trim() === ''}>
              {feed === undefined ? 'Publish' : 'Change'}
            </Button>
            <Button variant="default" onClick={() => done(null)}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}
