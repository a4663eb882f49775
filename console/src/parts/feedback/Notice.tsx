import { Alert, type AlertProps } from '@mantine/core'

/** Something to know before going on; nothing has failed. */
export const Notice = (given: AlertProps) => <Alert color="yellow" variant="light" {...given} />
