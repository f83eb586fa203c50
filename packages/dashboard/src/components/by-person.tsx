interface Props {
  /** Null when it was done before names were stored, or by no person. */
  readonly name: string | null;
}

/** ` by ana`. A name in another script does not change the direction of the text around it. */
export function ByPerson({ name }: Props) {
  if (name === null) return null;
  return (
    <>
      {" by "}
      <bdi style={{ overflowWrap: "anywhere" }}>{name}</bdi>
    </>
  );
}
