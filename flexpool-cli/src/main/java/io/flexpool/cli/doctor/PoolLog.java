// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.HikariLine;
import io.flexpool.cli.PoolFrames;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an application's log for its pools: failed requests with the pool's figures, reported leaks with call sites,
 * and failed connects. Reads line by line, in constant memory. Not thread-safe.
 */
final class PoolLog {
    private static final int MOST_SITES = 1_000;
    private static final int MOST_SOURCES = 1_000;
    private static final int STAMP = 19;
    /**
     * The time without another failed connect after which an outage is over; HikariCP's requests fail after 30 s by
     * default.
     */
    private static final Duration OVER = Duration.ofMinutes(5);

    /** A pool's message of a failed request; groups are its name and its figures, as far as the message has them. */
    private record Timeout(String pool, Pattern message) {
        Timeout(String pool, String message) {
            this(pool, Pattern.compile(message));
        }
    }

    private static final String DRUID = "Druid";
    private static final String C3P0 = "c3p0";

    /** The timeouts of other pools than HikariCP, in the format of their newest versions. */
    private static final List<Timeout> TIMEOUTS = List.of(
            new Timeout(
                    "Tomcat JDBC",
                    "PoolExhaustedException: .{0,400}\\[size:(?<max>\\d{1,6}); busy:(?<active>\\d{1,6});"),
            new Timeout(
                    DRUID,
                    "GetConnectionTimeoutException: wait millis \\d+, active (?<active>\\d{1,6}), maxActive (?<max>\\d{1,6})"),
            new Timeout("Commons DBCP 2", "Cannot get a connection, pool error Timeout waiting for idle object"),
            new Timeout(C3P0, "SQLException: An attempt by a client to checkout a Connection has timed out"),
            new Timeout("Agroal", "SQLException: Sorry, acquisition timeout!"),
            // Vibur writes the message in its own log, too.
            new Timeout(
                    "Vibur",
                    "SQLTimeoutException: Pool (?<name>\\w{1,100})@[0-9a-f]+\\((?<active>\\d{1,6})/\\d+/(?<max>\\d{1,6})/.{0,20}, couldn't obtain SQL connection within "),
            new Timeout(
                    "Oracle UCP",
                    "UCP-(?:45064|45069)(?:.{0,100}borrowed:(?<active>\\d{1,6}), total:(?<total>\\d{1,6}),.{0,120} remainingCapacity:(?<rest>\\d{1,6}))?"));
    /** Druid's line at its start, with the name that the application gave the pool. */
    private static final Pattern DRUID_NAME = Pattern.compile("\\{dataSource-\\d+,(?<name>[^}]{1,100})} inited");

    /** The line before the acquiring stack of a leaked connection: HikariCP, Tomcat JDBC, DBCP 2, Druid, c3p0. */
    private static final Pattern LEAK = Pattern.compile(
            "Connection leak detection triggered for (?>(?<hikari>.{1,300}?)(?: on thread |, stack trace follows))"
                    + "|Connection has been (?:abandoned|marked suspect, possibly abandoned) PooledConnection\\[(?<tomcat>.{0,300}?)]"
                    + "|by the following (?<dbcp>code) has not been returned to the pool:"
                    + "|abandon connection, (?<druid>owner) thread: .{0,500}?, open stackTrace"
                    + "|stack trace by which the overdue (?<cpo>resource) was checked-out");
    /** The kinds of pools by the groups of {@link #LEAK}, as in {@link #TIMEOUTS}. HikariCP's have names. */
    private static final Map<String, String> KINDS =
            Map.of("tomcat", "Tomcat JDBC", "dbcp", "Commons DBCP 2", "druid", DRUID, "cpo", C3P0);
    /** HikariCP's thread, which reports its leaks. Spring Boot's layout truncates it at its begin. */
    private static final Pattern HOUSEKEEPER = Pattern.compile("\\[(?<pool>[^\\[\\]]{1,100}?)[ :]housekeeper]");

    /** The longest name of a pool that Spring Boot's layout truncates. */
    private static final int TRUNCATED = "[pool:housekeeper]".length() - 15;
    /** Agroal's line of a leak, which contains the stack and is repeated while the leak lasts. */
    private static final Pattern LEAK_WITH_STACK =
            Pattern.compile("Leaked connection (?<connection>.{1,300}) acquired at: \\[(?<stack>.*)");
    /** A line that may be between the leak's line and its stack. */
    private static final Pattern BEFORE_STACK = Pattern.compile(
            "Apparent connection leak detected|CallStack\\$Snapshot|DEBUG STACK TRACE: Overdue resource");
    /** Druid's line between the stack that acquired a connection and the current one of the same thread. */
    private static final Pattern OWNER = Pattern.compile("^ownerThread current state is ");

    private static final String USED_BY_DRUID = "com.alibaba.druid.pool.DruidPooled";
    /** c3p0 reports a failed connect only after its last attempt, 30 s later by default. */
    private static final Pattern GAVE_UP = Pattern.compile("Acquisition Attempt Failed!!! Clearing pending acquires");

    private static final Pattern RETURNED = Pattern.compile(
            "Previously reported leaked connection (?>(?<hikari>.{1,300}?) (?:on thread |was returned to the pool))"
                    + "|Connection\\(PooledConnection\\[(?<tomcat>.{0,300}?)]\\) that has been marked suspect was returned");
    private static final Pattern FRAME = Pattern.compile("\\s*at (?<call>[^\\s(]+)\\((?<place>[^)]*)\\).*");
    /** PostgreSQL's translated messages, from its catalogs: the language is that of lc_messages. */
    private static final String FULL_ELSEWHERE = "schon zu viele Verbindungen|die verbleibenden Verbindungen sind für"
            + "|trop de clients sont déjà connectés|les emplacements de connexions restants"
            + "|ya tenemos demasiados clientes|las conexiones restantes están reservadas"
            + "|troppi client già connessi|i rimanenti slot di connessione"
            + "|уже слишком много клиентов|оставшиеся слоты подключений"
            + "|現在クライアント数が多すぎます|残りの接続スロット|已经有太多的客户|已保留的连接位置";

    private static final String STARTS_ELSEWHERE = "das Datenbanksystem (?:startet|fährt herunter)"
            + "|le système de bases? de données (?:se lance|s'arrête)"
            + "|el sistema de base de datos está (?:iniciándose|apagándose)|il database si sta (?:avviando|spegnendo)"
            + "|система баз данных (?:запускается|останавливается)"
            + "|データベースシステムは(?:起動処理中です|シャットダウンしています)|数据库系统(?:启动中|停止中)";

    private static final Pattern FULL = Pattern.compile(
            "(?i)" + FULL_ELSEWHERE
                    + "|too many clients already|remaining connection slots are reserved|ORA-00018|ORA-12516|ORA-12519|ORA-12520");
    /** The server refuses the user, the password or the database. */
    private static final Pattern REFUSED_LOGIN = Pattern.compile("password authentication failed for user"
            + "|FATAL: (?:role|database) \".{1,100}\" (?:does not exist|is not permitted to log in)|no pg_hba\\.conf entry for"
            + "|Access denied for user .{1,200}\\(using password: |Login failed for user '|ORA-01017|ORA-28000"
            + "|Passwort-Authentifizierung für Benutzer .{1,100} fehlgeschlagen"
            + "|authentification par mot de passe échouée pour l'utilisateur"
            + "|la autentificación password falló para el usuario"
            + "|autenticazione con password fallita per l'utente"
            + "|не прошёл проверку подлинности \\(по паролю\\)|パスワード認証に失敗しました|Password 认证失败");

    private static final Pattern UNREACHABLE = Pattern.compile(
            "Connection to \\S+ refused\\. Check that the hostname|Communications link failure|The connection attempt failed"
                    + "|the database system is (?:starting up|shutting down)|ORA-12541|" + STARTS_ELSEWHERE
                    + "|ORA-12514|Socket fail to connect to host");
    /**
     * Messages of clients of any server. They count as a driver's if the line, its trace or the trace's first line
     * refers to JDBC.
     */
    private static final Pattern UNREACHABLE_ANY = Pattern.compile(
            "UnknownHostException|No route to host|java\\.net\\.(?:ConnectException|NoRouteToHostException)");

    /** MySQL and MariaDB write in the language of their lc_messages, too: as their catalogs have it. */
    private static final Pattern FULL_ANY =
            Pattern.compile("Too many connections|Zu viele Verbindungen|Trop de connexions|Demasiadas conexiones"
                    + "|Troppe connessioni|Te veel verbindingen|Excesso de conexões|Příliš mnoho spojení|Zbyt wiele poł.czeń"
                    + "|För många anslutningar|For mange forbindelser|Слишком много соединений|Забагато з'єднань"
                    + "|接続が多すぎます|너무 많은 연결|太多连接");

    /** PostgreSQL's driver translates its messages, by the JVM's language. Other programs may have the same ones. */
    private static final Pattern UNREACHABLE_ELSEWHERE =
            Pattern.compile("Der Verbindungsversuch schlug fehl|La tentative de connexion a échoué"
                    + "|El intento de conexión falló|Il tentativo di connessione è fallito|A tentativa de conexão falhou"
                    + "|Pokus o připojení selhal|Próba nawiązania połączenia nie powiodła się|Pokušaj konektovanja propao"
                    + "|Bağlantı denemesi başarısız oldu|Опита за връзка бе неуспешен|Не удалось подключиться"
                    + "|Подключение по адресу \\S+ отклонено|への接続が拒絶されました|接続試行は失敗しました"
                    + "|에 대한 연결이 거부되었습니다|연결 시도가 실패했습니다|尝试连线已失败|嘗試連線已失敗");

    private static final Pattern JDBC = Pattern.compile("SQL|[jJ]dbc|JDBC|[hH]ikari");
    /** A line that continues the previous line's trace. */
    private static final Pattern CONTINUED = Pattern.compile("\\s*(?:Caused by: |Suppressed: |\\.\\.\\. \\d).*");
    /** The first line of a trace, which follows the logger's own line. */
    private static final Pattern TRACE = Pattern.compile(
            "[a-z_$][\\w$.]{0,300}?\\.[A-Z][\\w$]{0,200}?(?:Exception|Error|Throwable|Timeout)(?:: .*)?");

    private final Map<String, PoolFigures> figures = new LinkedHashMap<>();
    /** As {@link #figures}, of pools whose messages have no name, by the kind of pool. */
    private final Map<String, PoolFigures> unnamed = new LinkedHashMap<>();
    /** The names of pools of Druid. */
    private final Set<String> druids = new LinkedHashSet<>();

    private final Map<String, Integer> leaks = new LinkedHashMap<>();
    private final Set<String> methods = new LinkedHashSet<>();
    /** The leaked connections that Agroal has reported. */
    private final Set<String> known = new HashSet<>();
    /** The number of reported leases by pool: its kind, or HikariCP's name, which may be unknown. */
    private final Map<String, Integer> open = new HashMap<>();
    /** The pools of reported connections that are not returned. */
    private final Map<String, String> connections = new HashMap<>();
    /** The connections that Druid has closed, by the method that acquired them. */
    private final Map<String, Abandoned> abandoned = new LinkedHashMap<>();

    /** The failed statements of Druid, by method. */
    private final Map<String, Integer> failures = new HashMap<>();

    private final Map<String, Trace> traces = new HashMap<>();
    private Trace trace = new Trace();

    private int timeouts;
    /** The timeouts of pools without any connection. */
    private int without;

    private int full;
    private int unreachable;
    private int gaveUp;
    private int returned;
    /** The time of the last line with a time, and of the last failed connect; empty if unknown. */
    private String stamp = "";

    private String failed = "";
    /**
     * Whether the current event, without a failed connect, shows the only pool with all its connections: then an outage
     * is over.
     */
    private boolean whole;

    /** The current event of one program: several may write to one log. */
    private static final class Trace {
        /** Whether the following frames belong to a leak. */
        private boolean inLeak;

        private String pool = "";
        private String connection = "";
        /** The method of Druid's last leak, while its report is read. */
        private String acquirer = "";
        /** Whether the following frames are of that connection's owner, and whether it requests another one. */
        private boolean inOwner;

        private boolean requests;
        /** Whether a frame of Druid's statements was read, so that a frame of the application uses a connection. */
        private boolean used;
        /** The first line of the current trace. */
        private String first = "";
        /** Whether the current trace has frames already. */
        private boolean framed;
        /** The line for which the current trace is counted as a failed connect; empty if it is not. */
        private String counted = "";
        /** Whether the current trace has a failed connect whose target is unknown yet. */
        private boolean undecided;
    }

    /** The connections that Druid has closed of one method. */
    private static final class Abandoned {
        private final String site;
        private int count;
        /** The owners that were still in the method. */
        private int inMethod;

        Abandoned(String site) {
            this.site = site;
        }
    }

    /** Whether a driver's message means that the server has no session left. */
    static boolean isFull(String message) {
        return FULL.matcher(message).find() || FULL_ANY.matcher(message).find();
    }

    /** Whether an exception of a driver, or its cause, means that the server is unreachable. */
    static boolean isUnreachable(String message) {
        return UNREACHABLE.matcher(message).find()
                || REFUSED_LOGIN.matcher(message).find()
                || UNREACHABLE_ELSEWHERE.matcher(message).find()
                || UNREACHABLE_ANY.matcher(message).find();
    }

    int timeouts() {
        return timeouts;
    }

    /** The number of failed requests of pools without any connection. */
    int withoutConnection() {
        return whole ? 0 : without;
    }

    int full() {
        return whole ? 0 : full;
    }

    int unreachable() {
        return whole ? 0 : unreachable;
    }

    /** Whether a pool has given up to connect, which it reports less often than failed requests. */
    boolean gaveUp() {
        return gaveUp > 0;
    }

    /** Whether all failed requests are of c3p0, which reports failed connects late. */
    boolean isOfC3p0() {
        return figures.isEmpty() && unnamed.keySet().equals(Set.of(C3P0));
    }

    /** The number of Druid's reports of methods whose leases were in use: whether the other ones leaked is unknown. */
    private int doubtful() {
        Map<String, Integer> used = usedLeases();
        return abandoned.values().stream()
                .filter(each -> used.containsKey(each.site))
                .mapToInt(each -> each.count)
                .sum();
    }

    /** Whether all reports are of c3p0, which does not report that a connection is returned. */
    boolean hidesReturns() {
        return open.keySet().equals(Set.of(C3P0));
    }

    /**
     * The number of reported leases that were not returned.
     *
     * @param pool the pool; null for all of them
     */
    int openLeaks(@Nullable String pool) {
        int all = -returned;
        for (Map.Entry<String, Integer> each : open.entrySet()) {
            if (pool == null || isOf(each.getKey(), pool)) {
                all += each.getValue() - (each.getKey().equals(DRUID) ? doubtful() : 0);
            }
        }
        return Math.max(0, all);
    }

    /** Whether a report is of a pool. A report without a pool is of the only one. */
    private boolean isOf(String reported, String pool) {
        if (reported.equals(pool)) {
            return !reported.equals(DRUID) || druids.size() <= 1;
        }
        if (!figures.containsKey(pool) && !unnamed.containsKey(pool)) {
            // Its name is known from metrics.
            return figures.size() + unnamed.size() <= 1;
        }
        if (KINDS.containsValue(reported)) {
            return reported.equals(DRUID) && druids.contains(pool);
        }
        return reported.isEmpty()
                ? figures.size() == 1 && unnamed.isEmpty()
                : reported.length() <= TRUNCATED && pool.endsWith(reported);
    }

    /** The call sites of reported leaks, with their counts. */
    Map<String, Integer> leaks() {
        Map<String, Integer> all = new LinkedHashMap<>(leaks);
        usedLeases().forEach((site, used) -> all.merge(site, -used, Integer::sum));
        all.values().removeIf(count -> count <= 0);
        return all;
    }

    /** The call sites of leases that Druid has closed while they were used, with their counts. */
    Map<String, Integer> usedLeases() {
        Map<String, Integer> all = new LinkedHashMap<>();
        abandoned.forEach((method, each) -> {
            int used = Math.min(each.count, Math.max(each.inMethod, failures.getOrDefault(method, 0)));
            if (used > 0) {
                all.merge(each.site, used, Integer::sum);
            }
        });
        return all;
    }

    /** The methods that acquired leaked connections, with their classes. */
    Set<String> leakingMethods() {
        return methods;
    }

    /** The last figures of each pool with a name. */
    Map<String, PoolFigures> figures() {
        return figures;
    }

    /** The last figures of pools without a name, by the kind of pool. */
    Map<String, PoolFigures> unnamed() {
        return unnamed;
    }

    /** Whether no request that failed for lack of a connection found one in use. */
    boolean showsNoUse() {
        return !(figures.isEmpty() && unnamed.isEmpty())
                && figures.values().stream().allMatch(each -> each.active() == 0)
                && unnamed.values().stream().allMatch(each -> each.active() == 0);
    }

    boolean isEmpty() {
        return figures.isEmpty() && unnamed.isEmpty() && timeouts + full + unreachable == 0 && leaks.isEmpty();
    }

    void line(String line) {
        line("", line);
    }

    /**
     * Reads a line.
     *
     * @param source the program that wrote it; its lines are not mixed with those of others
     */
    void line(String source, String line) {
        if (traces.size() >= MOST_SOURCES && !traces.containsKey(source)) {
            // The current events of the others lose their remaining lines.
            traces.clear();
        }
        trace = traces.computeIfAbsent(source, first -> new Trace());
        read(line);
    }

    private void read(String line) {
        if (line.isBlank()) {
            // Spring Boot's layout has an empty line before each exception.
            return;
        }
        Matcher frame = FRAME.matcher(line);
        if (frame.matches()) {
            trace.framed = true;
            leakFrame(frame.group("call"), frame.group("place"));
            useFrame(frame.group("call"), frame.group("place"));
            StackTraceElement at = trace.undecided ? ThreadDump.frame(frame.group("call"), frame.group("place")) : null;
            if (at != null && PoolFrames.usesConnection(at.getClassName())) {
                failedConnect(line);
            }
            return;
        }
        if (!CONTINUED.matcher(line).matches()) {
            full = full();
            unreachable = unreachable();
            without = withoutConnection();
            whole = false;
            // A trace is of the line before it.
            trace.counted = !trace.framed && TRACE.matcher(line).matches() ? trace.counted : "";
            trace.framed = false;
            trace.first = line;
            trace.undecided = false;
            stamp = hasDate(line) ? line.substring(0, STAMP) : stamp;
        }
        trace.used = false;
        trace.inOwner = !trace.acquirer.isEmpty() && OWNER.matcher(line).find();
        trace.acquirer = trace.inOwner ? trace.acquirer : "";
        hikari(line);
        Matcher leak = LEAK.matcher(line);
        if (leak.find()) {
            beginLeak(leak, line);
            return;
        }
        trace.inLeak = trace.inLeak && BEFORE_STACK.matcher(line).find();
        gaveUp += GAVE_UP.matcher(line).find() ? 1 : 0;
        Matcher inLine = LEAK_WITH_STACK.matcher(line);
        if (inLine.find() && known.size() < MOST_SITES && known.add(inLine.group("connection"))) {
            trace.inLeak = true;
            trace.pool = "Agroal";
            trace.connection = "";
            for (String call : inLine.group("stack").split(", ", -1)) {
                Matcher each = FRAME.matcher("at " + call);
                if (each.matches()) {
                    leakFrame(each.group("call"), each.group("place"));
                }
            }
        }
        Matcher back = RETURNED.matcher(line);
        if (back.find()) {
            String pool = connections.remove(connection(back));
            if (pool == null) {
                returned++;
            } else {
                open.merge(pool, -1, Integer::sum);
            }
        }
        if (FULL.matcher(line).find() || (FULL_ANY.matcher(line).find() && isOfJdbc(line))) {
            full += isCounted(line) ? 0 : 1;
            whole = false;
        }
        if (UNREACHABLE.matcher(line).find()
                || REFUSED_LOGIN.matcher(line).find()
                || (UNREACHABLE_ELSEWHERE.matcher(line).find() && isOfJdbc(line))) {
            failedConnect(line);
        } else if (UNREACHABLE_ANY.matcher(line).find()) {
            trace.undecided = true;
            if (isOfJdbc(line)) {
                failedConnect(line);
            }
        }
        Matcher druid = DRUID_NAME.matcher(line);
        if (druid.find()) {
            druids.add(druid.group("name"));
        }
        for (Timeout each : TIMEOUTS) {
            Matcher timeout = each.message().matcher(line);
            if (timeout.find()) {
                timeout(each.pool(), timeout);
                return;
            }
        }
    }

    private void timeout(String pool, Matcher message) {
        timeouts++;
        int active = number(message, "active");
        int total = number(message, "total");
        int max = total < 0 ? number(message, "max") : total + number(message, "rest");
        // A request does not fail while a connection is idle.
        without += active == 0 ? 1 : 0;
        String name =
                pool.equals(DRUID) && druids.size() == 1 ? druids.iterator().next() : group(message, "name");
        PoolFigures last = active < 0 ? PoolFigures.NONE : new PoolFigures(max, active, -1);
        if (name.isEmpty()) {
            unnamed.put(pool, last);
        } else {
            figures.put(name, last);
        }
    }

    /** Whether a line begins with a time such as {@code 2026-11-27T20:11:05}. */
    private static boolean hasDate(String line) {
        return line.length() > STAMP && line.charAt(4) == '-' && line.charAt(7) == '-' && line.charAt(13) == ':';
    }

    /** Whether the log continues long enough without another failed connect. */
    boolean isOutageOver() {
        LocalDateTime from = ThreadDump.time(failed);
        LocalDateTime to = ThreadDump.time(stamp);
        return from != null && to != null && from.plus(OVER).isBefore(to);
    }

    private boolean isOfJdbc(String line) {
        return JDBC.matcher(line).find() || JDBC.matcher(trace.first).find();
    }

    /**
     * Whether the trace of a failed connect is counted: its causes repeat the failure in other words. The same words again are of
     * another trace whose other lines are not in the file.
     */
    private boolean isCounted(String line) {
        boolean before = !trace.counted.isEmpty() && !trace.counted.equals(line);
        trace.counted = before ? trace.counted : line;
        return before;
    }

    private void failedConnect(String line) {
        unreachable += isCounted(line) ? 0 : 1;
        whole = false;
        failed = stamp;
        trace.undecided = false;
    }

    /** Reads HikariCP's figures and timeouts, in the formats of all versions. */
    private void hikari(String line) {
        int timeout = line.indexOf(HikariLine.TIMED_OUT);
        timeouts += timeout >= 0 ? 1 : 0;
        int at = line.indexOf(HikariLine.FIGURES, Math.max(0, timeout));
        HikariLine read;
        try {
            read = at < 0 ? null : HikariLine.at(line, at, null);
        } catch (NumberFormatException none) {
            return;
        }
        if (read != null) {
            // Lines have the max only since 6.0. At a timeout all connections are open, unless there are none, so the
            // total is the max.
            without += timeout >= 0 && read.total() == 0 ? 1 : 0;
            int max = read.max() > 0 ? read.max() : timeout >= 0 && read.total() > 0 ? read.total() : -1;
            figures.put(read.pool(), new PoolFigures(max, read.active(), read.waiting()));
            whole = figures.size() == 1 && max > 0 && read.active() >= max;
        } else if (timeout >= 0) {
            // Before 5.1 its message has the name alone; a line of level DEBUG may have had the figures.
            String pool = HikariLine.timeoutAt(line, timeout, null).pool();
            // Frameworks write text before the name, such as "Unable to acquire JDBC Connection [".
            pool = pool.substring(
                    1 + Math.max(Math.max(pool.lastIndexOf('['), pool.lastIndexOf('(')), pool.lastIndexOf('\'')));
            if (!pool.isEmpty() && figures.keySet().stream().noneMatch(pool::endsWith)) {
                figures.put(pool, PoolFigures.NONE);
            }
        }
    }

    private void beginLeak(Matcher leak, String line) {
        trace.inLeak = true;
        trace.acquirer = "";
        trace.connection = connection(leak);
        trace.pool = "";
        KINDS.forEach((group, kind) -> trace.pool = leak.group(group) == null ? trace.pool : kind);
        Matcher thread = HOUSEKEEPER.matcher(line);
        if (leak.group("hikari") != null && thread.find()) {
            trace.pool = thread.group("pool");
        }
    }

    /** The text of a connection; empty if the message has none. */
    private static String connection(Matcher of) {
        return group(of, "hikari") + group(of, "tomcat");
    }

    private void leakFrame(String call, String place) {
        StackTraceElement frame = trace.inLeak ? ThreadDump.frame(call, place) : null;
        if (frame != null && PoolFrames.isApplication(frame.getClassName())) {
            trace.inLeak = false;
            open.merge(trace.pool, 1, Integer::sum);
            if (!trace.connection.isEmpty() && connections.size() < MOST_SITES) {
                connections.put(trace.connection, trace.pool);
            }
            if (leaks.size() < MOST_SITES) {
                leaks.merge(Stacks.words(frame), 1, Integer::sum);
                methods.add(Stacks.method(frame));
            }
            if (trace.pool.equals(DRUID) && abandoned.size() < MOST_SITES) {
                trace.acquirer = Stacks.method(frame);
                abandoned.computeIfAbsent(trace.acquirer, method -> new Abandoned(Stacks.words(frame))).count++;
                trace.requests = false;
            }
        }
    }

    /** A frame that shows a connection of Druid in use: its owner is in the method, or the method's statement fails. */
    private void useFrame(String call, String place) {
        StackTraceElement frame = ThreadDump.frame(call, place);
        if (frame == null) {
            return;
        }
        if (trace.inOwner) {
            trace.requests |= PoolFrames.isRequest(Stacks.method(frame));
            if (Stacks.method(frame).equals(trace.acquirer)) {
                Abandoned of = abandoned.get(trace.acquirer);
                if (of != null && !trace.requests) {
                    of.inMethod++;
                }
                trace.inOwner = false;
                trace.acquirer = "";
            }
        } else if (trace.acquirer.isEmpty()) {
            if (frame.getClassName().startsWith(USED_BY_DRUID)) {
                trace.used = true;
            } else if (trace.used && PoolFrames.isApplication(frame.getClassName()) && failures.size() < MOST_SITES) {
                trace.used = false;
                failures.merge(Stacks.method(frame), 1, Integer::sum);
            }
        }
    }

    private static String group(Matcher of, String name) {
        try {
            String value = of.group(name);
            return value == null ? "" : value;
        } catch (IllegalArgumentException none) {
            return "";
        }
    }

    private static int number(Matcher of, String name) {
        String value = group(of, name);
        return value.isEmpty() ? -1 : Integer.parseInt(value);
    }
}
