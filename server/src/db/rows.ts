/** A record as the driver reads it when the columns have its names: `numeric` comes as text. */
export type RowOf<Record> = { readonly [Field in keyof Record]: Record[Field] extends bigint ? string : Record[Field] };
