# A minimal agent: `sh agent.sh ROLE LEDGER [SECONDS]`, with its parameters on standard input. Before it answers
# it adds a line to the ledger: role, the run it is about, its own run, the attempt. Only a few roles fork.
role=$1
ledger=$2
read -r input

# field NAME: sets `value` to what follows the first "NAME", a number or a text.
field() {
  value=${input#*\"$1\":}
  value=${value#\"}
  value=${value%%[\",\}]*}
}

[ "$3" ] && sleep "$3"
field count
count=$value
field run_id
echo "$role $value $TENTERHOOK_RUN_ID $TENTERHOOK_ATTEMPT" >>"$ledger"

case $role in
  worker) echo "{\"count\":$count,\"seals\":0}" ;;
  enricher) echo "{\"action\":\"continue\",\"parameters\":{\"count\":$((count + 1))}}" ;;
  sealer) echo "{\"action\":\"continue\",\"result_data\":{\"count\":$count,\"seals\":1}}" ;;
  guard) echo "{\"action\":\"continue\"}" ;;
  noisy) yes '' | head -c 16000000 >&2; echo "{\"count\":$count,\"seals\":0}" ;;
  broken) exit 1 ;;
  deep) head -c 5000 /dev/zero | tr '\0' '[' | sed 's/\[/{"a":/g'; printf 1; head -c 5000 /dev/zero | tr '\0' '}' ;;
  huge) printf '{"a":"'; head -c 12000000 /dev/zero | tr '\0' 'x'; printf '"}' ;;
  *) echo "{}" ;;
esac
