// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What looks like a password, in every notation that reaches a log, and what masking it costs. */
class SecretsTest {
    /** "~" stands for a line's end. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // URLs and properties
                "jdbc:x://h/d?user=u&password=canary&ssl=on | jdbc:x://h/d?user=u&password=***&ssl=on",
                "jdbc:x://u:canary@h:5/d | jdbc:x://***@h:5/d",
                "jdbc:x://u:can@ary@h/d | jdbc:x://***@h/d",
                "PWD = canary; user=x | PWD = ***; user=x",
                "token:canary, secret: canary~credentials=canary | token:***, secret: ***~credentials=***",
                "passphrase=canary passwd=canary pass=canary | passphrase=*** passwd=*** pass=***",
                "password=&user=x | password=***&user=x",
                "my.db.password=canary | my.db.password=***",
                "password := canary x | password := *** x",
                // quoted values with blanks
                "password='can ary' user=x | password=*** user=x",
                "password=\"can \\\" ary\" user=x | password=*** user=x",
                "password = 'can''t ary' user=x | password = *** user=x",
                "password={can }} ary};user=x | password=***;user=x",
                "PASSWORD = N'can ary' x | PASSWORD = *** x",
                "password='can ary | password=***",
                // JSON, JSON within JSON, maps
                "{\"password\":\"can ary\",\"user\":\"x\"} | {\"password\":***,\"user\":\"x\"}",
                "{\"db_password\" : \"canary\", \"a\":1} | {\"db_password\" : ***, \"a\":1}",
                "{\\\"password\\\":\\\"can ary\\\",\\\"a\\\":1} | {\\\"password\\\":***,\\\"a\\\":1}",
                "{'secret' => 'can ary', 'a' => 1} | {'secret' => ***, 'a' => 1}",
                // SQL
                "create user u identified by canary; x | create user u identified by ***; x",
                "create user u IDENTIFIED  BY 'can ary' x | create user u IDENTIFIED  BY *** x",
                "alter user u identified by \"can ary\" replace canary x | alter user u identified by *** replace *** x",
                "alter user u identified by values 'S:canary' x | alter user u identified by values *** x",
                "alter user u identified with p by 'canary' x | alter user u identified with p by *** x",
                "create user u identified via p using password('can ary') x | create user u identified via p using *** x",
                "create role r login password 'can ary' valid | create role r login password *** valid",
                "alter role r encrypted PASSWORD E'can ary' x | alter role r encrypted PASSWORD *** x",
                "set password for 'u'@'h' = 'can ary' x | set password for 'u'@'h' = *** x",
                "set password for u = password('can ary') x | set password for u = *** x",
                "select password('can ary') x | select password(***) x",
                // HTTP and keys
                "api_key=canary&x=1 | api_key=***&x=1",
                "API-Key: canary x | API-Key: *** x",
                "apikey canary | apikey canary",
                "SharedAccessKey=canary;x=1 | SharedAccessKey=***;x=1",
                "AccountName=a;AccountKey=can+ary==;x=1 | AccountName=a;AccountKey=***;x=1",
                "SharedAccessKeyName=root;SharedAccessKey=canary | SharedAccessKeyName=root;SharedAccessKey=***",
                "Ocp-Apim-Subscription-Key: canary x | Ocp-Apim-Subscription-Key: *** x",
                "encryption_key=canary signingKey=canary | encryption_key=*** signingKey=***",
                "masterKey=canary shared-key=canary | masterKey=*** shared-key=***",
                "passcode=canary&x=1 | passcode=***&x=1",
                "sslpassword=canary keyStorePassword=canary | sslpassword=*** keyStorePassword=***",
                "trustStorePassword=canary;accessToken=canary | trustStorePassword=***;accessToken=***",
                "clientSecret=canary client_secret=canary | clientSecret=*** client_secret=***",
                "https://h/c?sv=1&sig=can%2Fary&se=2 | https://h/c?sv=1&sig=***&se=2",
                "https://h/c?X-Amz-Signature=canary&x=2 | https://h/c?X-Amz-Signature=***&x=2",
                // a private key, of several lines or of one
                "x -----BEGIN PRIVATE KEY-----~can~ary~-----END PRIVATE KEY----- y"
                        + " | x -----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY----- y",
                "-----BEGIN RSA PRIVATE KEY-----canary~can | -----BEGIN RSA PRIVATE KEY-----***",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----canary | -----BEGIN ENCRYPTED PRIVATE KEY-----***",
                // within percent-encoding, also repeated
                "jdbc:x://h/d?proxy=http%3A%2F%2Fu%3Acanary%40h&a=b | jdbc:x://***@h&a=b",
                "jdbc:x://h/d?next=http%253A%252F%252Fu%253Acan%2540ary%2540h | jdbc:x://***@h",
                "u=x%3Fuser%3Du%26password%3Dcan%20ary%26ssl%3Don z | u=x?user=u&password=***&ssl=on z",
                "u=x%3Fpassword%3Dcan%2526ary%26ssl%3Don z | u=x?password=***&ssl=on z",
                "next=http%3A%2F%2Fh%3Fu%3Dx%253Fpassword%253Dcan%252526ary z | next=http://h?u=x?password=*** z",
                "q=%7B%22password%22%3A%22can%20ary%22%7D | q={\"password\":***}",
                "password=can%26ary | password=***",
                // a comma or a semicolon within the secret
                "jdbc:postgresql://h/d?user=u&password=can,ary&ssl=on | jdbc:postgresql://h/d?user=u&password=***&ssl=on",
                "{user=u, password=can,ary} | {user=u, password=***",
                "{user=u, password=can,ary, ssl=on} | {user=u, password=***, ssl=on}",
                "jdbc:sqlserver://h;password=can;ary;user=u | jdbc:sqlserver://h;password=***;user=u",
                "jdbc:mysql://(host=h,password=can,ary,user=u) | jdbc:mysql://(host=h,password=***,user=u)",
                "password=can;;ary,!x; y | password=***; y",
                "Authorization: Bearer canary, x | Authorization: Bearer ***, x",
                "authorization=Basic canary x | authorization=Basic *** x",
                "sent Bearer canary.canary-canary to | sent Bearer *** to",
                "curl -H \"Authorization: Bearer canary\" x | curl -H \"Authorization: Bearer *** x",
                // command lines
                "tool --password canary -v | tool --password *** -v",
                "tool --password=canary -v | tool --password=*** -v",
                "tool --db-password 'can ary' -v | tool --db-password *** -v",
                "tool --password -v | tool --password -v",
                "java -password canary -v | java -password *** -v",
                "/usr/bin/mysqldump -u root -pcanary shop | /usr/bin/mysqldump -u root -p*** shop",
                "sshpass -p canary ssh h | sshpass -p *** ssh h",
                "tool -parallel 4 -p 80 | tool -parallel 4 -p 80",
                // Oracle
                "jdbc:oracle:thin:scott/canary@//h:1/s | jdbc:oracle:thin:***@//h:1/s",
                "jdbc:oracle:thin:scott/can/ary@h:1:s | jdbc:oracle:thin:***@h:1:s",
                "JDBC:ORACLE:THIN:scott/\"can ary\"@h:1:s | JDBC:ORACLE:THIN:***@h:1:s",
                "jdbc:oracle:oci:scott/canary@s | jdbc:oracle:oci:***@s",
                "connect scott/canary@h:1/s as x | connect ***@h:1/s as x",
                "connect scott/\"can ary\"@s | connect ***@s",
                "url='scott/canary@s' | url='***@s'",
            })
    void onlyASecretIsMasked(String text, String masked) {
        assertThat(Secrets.masked(text.replace('~', '\n')))
                .isEqualTo(masked.replace('~', '\n'))
                .satisfies(shown -> {
                    if (!masked.contains("canary")) {
                        assertThat(shown).doesNotContain("can").doesNotContain("ary");
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a plain sentence",
                "FATAL: password authentication failed for user \"x\"",
                "ORA-01017: invalid username/password; logon denied",
                "Syntax error, unrecognized token 'x'",
                "jdbc:oracle:thin:@//h:1521/s",
                "jdbc:postgresql://[::1]:5432/d?user=u",
                "select a/b from t where m = 'joe@example.org'",
                "GET /shop/orders/1@2",
                "select * from t where a like '%3A%' and b = 50 %25",
                "primary key = id, foreign key: f, partition key: p, routing-key=r",
                "account = 7, shared: x, signing=off, encryption: on, master=h, subscription: 1",
                "invalid signature: expected 2, design=x&signal=y",
                "-----BEGIN CERTIFICATE-----abc-----END CERTIFICATE-----",
                "-----BEGIN x",
                "100%",
                "%",
                "%4",
                "http%3A%2F%2Fh%2Fd%3Fa%3Db",
            })
    void aTextWithoutASecretIsTheSameObject(String text) {
        assertThat(Secrets.masked(text)).isSameAs(text);
    }

    /** What is cut off may have held the @ that shows what stands before it to be a password. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc:x://user:canary", "jdbc:oracle:thin:scott/canary", "\"password\":\"canary"})
    void aTextThatIsCutInASecretDoesNotShowItsBeginning(String begun) {
        String before = "x".repeat(Secrets.LONGEST - begun.length() - 1) + ' ';
        assertThat(Secrets.masked(before + begun + "canary".repeat(10) + "@host"))
                .hasSizeLessThanOrEqualTo(Secrets.LONGEST + 10)
                .doesNotContain("canary")
                .endsWith("***…");
    }

    static Stream<String> hostileParts() {
        Stream<String> written = Stream.of(
                "a",
                " ",
                "\t\n",
                "'",
                "\"",
                "\\",
                "\\\"",
                "@",
                "/",
                "//",
                ":",
                "://",
                "//:",
                "//a:",
                "://@",
                "//@:",
                "=",
                "{",
                "}",
                "-p",
                " -p",
                "mysql -p ",
                "password",
                "pass",
                "password ",
                "password=",
                "password='",
                "password=\"\\",
                "\"password\":\"",
                "password for a ",
                "password for ",
                "password(",
                "password('",
                "--password ",
                "--",
                "identified ",
                "identified by ",
                "identified with ",
                "identified with a ",
                "identified by a replace ",
                "bearer ",
                "bearer",
                "thin:",
                "thin:a",
                "thin:a/",
                "thin:a/\"",
                "a/",
                "a/a",
                "a/\"",
                "=a/\"a",
                "-----begin ",
                "-----begin private key",
                "-----begin private key-----",
                "-----",
                "%",
                "%25",
                "%2525",
                "%3A",
                "%2F%2F",
                "%2F%2F%3A",
                "%2F%2Fa%3Aa%40",
                "password%3D",
                "account",
                "account key",
                "&sig=",
                "\u202e",
                "\ud83d\ude00");
        Random random = new Random(8);
        List<String> tokens = List.of(
                "password",
                " ",
                "'",
                "\"",
                "\\",
                "/",
                "//",
                ":",
                "=",
                "@",
                "a",
                "identified by",
                "%3A",
                "%2F",
                "%25",
                "%40",
                "-----",
                "private key");
        Stream<String> drawn = IntStream.range(0, 60).mapToObj(each -> {
            StringBuilder part = new StringBuilder();
            for (int at = 1 + random.nextInt(5); at >= 0; at--) {
                part.append(tokens.get(random.nextInt(tokens.size())));
            }
            return part.toString();
        });
        return Stream.concat(written, drawn);
    }

    /** Each repeated, with starts and ends that made the former regular expressions scan far. */
    private static List<String> hostile(String part, int length) {
        String filled = part.repeat(length / part.length() + 1).substring(0, length);
        return List.of(filled, "//" + filled + ":", filled + "@", "//" + filled + ":" + filled + "@", "thin:" + filled);
    }

    /** Counted, not timed: a character is looked at a bounded number of times, however long the text is. */
    @ParameterizedTest
    @MethodSource("hostileParts")
    void theWorkGrowsAsTheText(String part) {
        for (String text : hostile(part, 10_000)) {
            Counted counted = new Counted(text);
            SecretScan.masked(counted, false);
            assertThat(counted.looks).as(part).isLessThanOrEqualTo(40L * text.length());
        }
    }

    /** Of the processor's time, which holds for what the second compiler has compiled. */
    @Nested
    @Tag("scenario")
    class Timed {
        /** Compiled before it is timed: on a busy machine the compiler's threads are late. */
        @BeforeAll
        static void warmUp() {
            for (int round = 0; round < 100; round++) {
                hostile("[password for ", 20_000).forEach(text -> SecretScan.masked(text, false));
            }
        }

        /** The processor's time of this thread, the best of some. Percent-encoded texts are scanned twice. */
        @ParameterizedTest
        @MethodSource("io.flexpool.internal.shared.SecretsTest#hostileParts")
        void hundredKilobytesTakeTwentyMilliseconds(String part) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            for (String text : hostile(part, 100_000)) {
                long best = Assertions.assertTimeoutPreemptively(Duration.ofMinutes(1), () -> {
                    long least = Long.MAX_VALUE;
                    for (int round = 0; round < 50 && least > 20_000_000; round++) {
                        long before = threads.getCurrentThreadCpuTime();
                        SecretScan.masked(text, false);
                        least = Math.min(least, threads.getCurrentThreadCpuTime() - before);
                    }
                    return least;
                });
                assertThat(Duration.ofNanos(best)).as(part).isLessThanOrEqualTo(Duration.ofMillis(20));
            }
        }
    }

    private static final class Counted implements CharSequence {
        private final String text;
        private long looks;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            looks++;
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            throw new AssertionError("a copy is not counted");
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
