import { Kbd, Modal, Stack, Switch, Table } from '@mantine/core'
import { KEY_HELP } from './commands.ts'

type Props = { opened: boolean; close: () => void; letters: boolean; setLetters: (on: boolean) => void }

/** The list of keys. Letters can be switched off, for users of speech input, which may type them unintentionally. */
export function KeyHelp({ opened, close, letters, setLetters }: Props) {
  return (
    <Modal opened={opened} onClose={close} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {KEY_HELP.map(([keys, does]) => (
              <Table.Tr key={keys}>
                <Table.Td w={90}>
                  <Kbd>{keys}</Kbd>
                </Table.Td>
                <Table.Td>{does}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Use single letters as shortcuts"
          checked={letters}
          onChange={(event) => setLetters(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  )
}
