# A program that prints a file and ends with an exit code: its parameters on standard input name both.
read -r input

# field NAME: sets `value` to what stands behind the first "NAME", a number or a text.
field() {
  value=${input#*\"$1\":}
  value=${value#\"}
  value=${value%%[\",\}]*}
}

field file
file=$value
field errors
[ "$value" = yes ] && cat "$file" >&2
cat "$file"
field code
exit "$value"
