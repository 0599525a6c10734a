// A service may have chosen a second name for the verification ID.

// vendor_id under the alias, and the two other fields whose names contain it.
export function aliasFields(alias: string, response: Record<string, unknown>): Record<string, unknown> {
  const { vendor_id: id, first_vendor_id: first, repeated_vendor_ids: repeated } = response
  return {
    [alias]: id,
    ...(first === undefined ? {} : { [`first_${alias}`]: first }),
    ...(repeated === undefined ? {} : { [`repeated_${alias}s`]: repeated }),
  }
}
