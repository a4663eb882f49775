import { createTheme, type MantineColorsTuple, Notification } from '@mantine/core'

/** Teal that keeps 4.5:1 against white from shade 7 on. */
const harrier: MantineColorsTuple = [
  '#e6f7f5',
  '#d0ebe7',
  '#a1d7d0',
  '#6fc2b8',
  '#47b0a4',
  '#2da598',
  '#0f7f74',
  '#0b6a61',
  '#0b5c55',
  '#064b45',
]

export const theme = createTheme({
  primaryColor: 'harrier',
  primaryShade: { light: 7, dark: 6 },
  colors: { harrier },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  components: {
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close the message' } } }),
  },
})
