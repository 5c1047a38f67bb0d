# Reads TAP with Perl's own parser: usage: check.pl FILE TESTS FAILED SKIPPED
use strict;
use warnings;
use TAP::Parser;
my ($file, $tests, $failed, $skipped) = @ARGV;
my $parser = TAP::Parser->new({source => $file}) or die 'no parser';
my ($diagnosed, $skips) = (0, 0);
while (my $result = $parser->next) {
  die 'not TAP: ', $result->raw if $result->is_unknown;
  $skips++ if $result->is_test && $result->has_skip;
  $diagnosed++ if $result->is_yaml && $result->data->{finding_1};
}
die "$file: ", join('; ', $parser->parse_errors), "\n" if $parser->parse_errors;
my $found = join ' ', $parser->tests_run, scalar($parser->failed), $skips, $diagnosed;
die "$file: $found instead of $tests $failed $skipped $failed\n" if $found ne "$tests $failed $skipped $failed";
print "$file: $tests tests, $failed failed\n";
