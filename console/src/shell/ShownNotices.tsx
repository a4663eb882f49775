import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** What `notifications.show` shows, in the corner. */
export default function ShownNotices() {
  return <Notifications position="bottom-right" limit={3} />
}
