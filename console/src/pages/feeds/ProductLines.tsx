import { Button, Code, CopyButton, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../parts/feedback/Notice.tsx'
import { isLoopback, misfit } from './products/fit.ts'
import type { Block } from './products/product.ts'
import { PRODUCTS } from './products/products.ts'

type Props = {
  urlOf: (format: string) => string
  /** Types that a format carries. */
  typesOf: (format: string) => readonly string[] | 'any'
  /** Types of the feed; absent: all. */
  listed: readonly string[] | undefined
  /** Whether the addresses lack a token that they need. */
  unsigned: boolean
}

/** Lines to put into a product, one block for each place. */
export function ProductLines({ urlOf, typesOf, listed, unsigned }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const product = PRODUCTS.find(({ name }) => name === chosen)
  const warning = product && misfit(typesOf(product.format), listed)
  return (
    <Stack gap="sm">
      <Select
        label="Lines for a product"
        placeholder="Choose a product"
        maw={340}
        clearable
        searchable
        value={chosen}
        onChange={setChosen}
        data={PRODUCTS.map(({ name }) => name)}
      />
      {product && (
        <Stack gap="sm" data-testid="snippet">
          {warning && <Notice title="It does not fit this feed">{warning}</Notice>}
          {unsigned && (
            <Notice title="The address needs a download token">Make one above: then it stands in these lines.</Notice>
          )}
          {isLoopback(window.location.hostname) && (
            <Notice title="The address is that of this machine">
              The lines have the address of your browser, {window.location.host}. Other machines do not reach it: put
              the name of the platform in its place.
            </Notice>
          )}
          <Text size="sm">{product.about}</Text>
          {product.blocks(urlOf(product.format)).map((block) => (
            <CopiedBlock key={block.where} block={block} />
          ))}
        </Stack>
      )}
    </Stack>
  )
}

function CopiedBlock({ block: { where, text } }: { block: Block }) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="start">
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {where}
        </Text>
        {/* cron refuses a file whose last line does not end. */}
        <CopyButton value={`${text}\n`}>
          {({ copied, copy }) => (
            <Button
              size="compact-sm"
              variant="default"
              onClick={copy}
              aria-label={`Copy the block for ${where}`}
              style={{ flexShrink: 0 }}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code
        block
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        tabIndex={0}
        role="region"
        aria-label={where}
      >
        {text}
      </Code>
    </Stack>
  )
}
