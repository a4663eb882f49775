import { Kbd, Modal, Stack, Switch, Table } from '@mantine/core'
import { helpOf } from '../../parts/page/keys/commands.ts'
import { pageKeys } from '../../parts/page/keys/page-keys.ts'
import { hasRows } from '../../parts/page/keys/rows.ts'

type Props = { opened: boolean; close: () => void; letters: boolean; setLetters: (on: boolean) => void }

/** The keys of the open page; who opens it gives the focus back. Characters can be switched off, for users of speech input, which may type them unintentionally. */
export default function KeyHelp({ opened, close, letters, setLetters }: Props) {
  const lines = helpOf(
    hasRows(),
    pageKeys().map(({ key, label, does }) => [label ?? key, does] as const),
  )
  return (
    <Modal
      opened={opened}
      onClose={close}
      title="Keyboard shortcuts"
      closeButtonProps={{ 'aria-label': 'Close' }}
      returnFocus={false}
    >
      <Stack>
        <Table verticalSpacing={4} aria-label="Keys of this page">
          <Table.Tbody>
            {lines.map(([keys, does]) => (
              <Table.Tr key={keys}>
                <Table.Td w={104}>
                  <Kbd>{keys}</Kbd>
                </Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Use single letters as shortcuts"
          description="On all pages, in this browser."
          checked={letters}
          onChange={(event) => setLetters(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  )
}
