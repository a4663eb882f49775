import { Button, Grid, Group, Kbd, Paper, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Notice } from '../../../parts/feedback/Notice.tsx'
import { Builder } from '../builder/Builder.tsx'
import { rowAt } from '../builder/write.ts'
import type { Index } from '../question/address.ts'
import { switchEditor } from './draft.ts'
import { positionOfParam } from './json-position.ts'
import { RawEditor } from './RawEditor.tsx'
import { SentBody } from './SentBody.tsx'
import type { AdvancedSearch } from './useAdvancedSearch.ts'

/** The form of an advanced search: the builder or the JSON editor, and the button that searches. */
export function SearchEditor({ search, index }: { search: AdvancedSearch; index: Index }) {
  const { draft, written, isChanged, submit, notShowable } = search
  const isJson = draft.editor === 'json'
  return (
    <Paper
      withBorder
      p="sm"
      component="form"
      aria-label="Advanced search"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label="Editor"
            value={draft.editor}
            onChange={search.switchEditor}
            data={[
              { value: 'builder', label: 'Builder' },
              { value: 'json', label: 'JSON' },
            ]}
          />
          {isJson && notShowable === null && 'beyond' in switchEditor(draft, index) && (
            <Text size="xs" c="dimmed">
              The builder cannot show this search.
            </Text>
          )}
        </Group>
        {notShowable !== null && (
          <Notice p="xs" role="alert" data-testid="beyond">
            The builder cannot show <span className="value">{notShowable}</span>. Edit it as JSON.
          </Notice>
        )}
        {isJson ? <JsonEditor search={search} /> : <BuilderEditor search={search} index={index} />}
        <Group gap="sm">
          <Button type="submit" disabled={written === null} leftSection={<IconSearch size={16} aria-hidden />}>
            Search
          </Button>
          {isJson && (
            <Text size="xs" c="dimmed" visibleFrom="sm">
              <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> to search
            </Text>
          )}
          {draft.source !== null && isChanged && (
            <Text size="xs" role="status">
              Changed since the last search.
            </Text>
          )}
        </Group>
      </Stack>
    </Paper>
  )
}

function BuilderEditor({ search, index }: { search: AdvancedSearch; index: Index }) {
  const { draft, change, written, rejection } = search
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Builder
          model={draft.model}
          index={index}
          change={(model) => change({ model })}
          fault={rejection && { row: rowAt(rejection.param, written?.rows ?? new Map()), message: rejection.message }}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <SentBody body={written?.body ?? {}} />
      </Grid.Col>
    </Grid>
  )
}

function JsonEditor({ search: { draft, change, submit, rejection } }: { search: AdvancedSearch }) {
  return (
    <RawEditor
      text={draft.text}
      change={(text) => change({ text })}
      send={submit}
      refused={rejection && { position: positionOfParam(draft.text, rejection.param), message: rejection.message }}
    />
  )
}
