/** The table of the store of compute instances. */
export type InstanceTables = {
  instances: {
    id: string
    customer_id: string
    user_id: string
    name: string
    zone: string
    machine_type: string
    status: string
    template_id: string | null
    created_at: Date
    /** When the next change of its state is due; null while none is. */
    due_at: Date | null
    /** What follows once the instance has stopped. */
    afterwards: string | null
  }
}
