import { Select, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Command } from '../../parts/copy/Command.tsx'
import { QueryResult } from '../../parts/feedback/QueryResult.tsx'
import { DownloadTokens } from './DownloadTokens.tsx'
import { EdgeLines } from './EdgeLines.tsx'
import type { Feed } from './feed.ts'
import { labelOf, verifiedBy } from './format-words.ts'
import { ProductLines } from './ProductLines.tsx'
import { misfit } from './products/fit.ts'

const USUAL = 'text'

/** How a feed is read: its address in each format, tokens for devices, and lines for products and for an edge. */
export function Downloads({ feed }: { feed: Feed }) {
  const [format, setFormat] = useState(USUAL)
  /** A token that was made a moment ago stands in the addresses: it is not shown again. */
  const [token, setToken] = useState<string | null>(null)
  const formats = api.useQuery('get', '/api/feeds/v1/formats')
  const path = token === null ? `feeds/${feed.id}` : `t/${token}`
  const urlOf = (name: string): string => `${window.location.origin}/api/feeds/v1/${path}/items.${name}`
  const told = (name: string) => formats.data?.find((one) => one.name === name)
  const typesOf = (name: string) => told(name)?.types ?? 'any'
  const { types } = feed.selector
  const unsigned = token === null && !feed.open
  const carried = typesOf(format)
  const chosen = told(format)
  const warning = misfit(carried, types)
  return (
    <Stack gap="sm">
      <Title order={3} size="h5">
        Download
      </Title>
      <QueryResult of={formats}>
        {(all) => (
          <Select
            label="Format"
            maw={420}
            searchable
            allowDeselect={false}
            value={format}
            onChange={(name) => setFormat(name ?? USUAL)}
            data={all.map((one) => ({ value: one.name, label: labelOf(one) }))}
          />
        )}
      </QueryResult>
      <Text size="sm" c="dimmed" data-testid="format">
        Carries {carried === 'any' ? 'all types' : carried.join(', ')}.{warning !== null && ` ${warning}`}
        {chosen && ` ${verifiedBy(chosen)}`}
      </Text>
      <Command line={urlOf(format)} />
      <Text size="sm" data-testid="needs">
        {unsigned
          ? 'This address requires a key pair, or a download token as the password of Basic authentication. A token that you create below becomes part of the address instead.'
          : feed.open
            ? 'Everybody may read this address, without credentials.'
            : 'This address contains the token: everybody who has the address can read the feed.'}
      </Text>
      <DownloadTokens id={feed.id} made={setToken} />
      <ProductLines urlOf={urlOf} told={told} listed={types} unsigned={unsigned} />
      <EdgeLines id={feed.id} token={token} />
    </Stack>
  )
}
