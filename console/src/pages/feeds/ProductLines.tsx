import { Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopiedBlock } from '../../parts/copy/CopiedBlock.tsx'
import { LoopbackNotice } from '../../parts/copy/LoopbackNotice.tsx'
import { Notice } from '../../parts/feedback/Notice.tsx'
import { verifiedBy } from './format-words.ts'
import { misfit } from './products/fit.ts'
import { PRODUCTS } from './products/products.ts'

type Props = {
  urlOf: (format: string) => string
  /** What the platform tells of a format; absent until it did. */
  told: (format: string) => { types: readonly string[] | 'any'; readBy: string | null } | undefined
  /** Types of the feed; absent: all. */
  listed: readonly string[] | undefined
  /** Whether the addresses lack a token that they need. */
  unsigned: boolean
}

/** Lines to put into a product, one block for each place. */
export function ProductLines({ urlOf, told, listed, unsigned }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const product = PRODUCTS.find(({ name }) => name === chosen)
  const format = product && told(product.format)
  const warning = format && misfit(format.types, listed)
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
            <Notice title="The address needs a download token">Create one above. The lines then contain it.</Notice>
          )}
          <LoopbackNotice />
          <Text size="sm">
            {product.about}
            {format?.readBy === null && ` ${verifiedBy(format)}`}
          </Text>
          {product.blocks(urlOf(product.format)).map((block) => (
            <CopiedBlock key={block.where} block={block} />
          ))}
        </Stack>
      )}
    </Stack>
  )
}
