// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rules. Each has the damage, the recommended line, and the explaining page. */
enum Rule {
    /** A data source without a size. */
    POOL_SIZE_DEFAULT(
            Severity.WARNING,
            "The pool has HikariCP's default size.",
            "HikariCP opens up to 10 connections if no size is set. Nobody chose this size: requests time out in bursts if"
                    + " it is too small, and all instances together may exceed the server's limit.",
            "spring.datasource.hikari.maximum-pool-size=<size>",
            "docs/how-to/choose-size.md"),
    /** Fewer idle connections than the size. */
    MINIMUM_IDLE(
            Severity.NOTE,
            "The pool closes idle connections.",
            "After a quiet time the first requests of a burst wait until connections are opened. A pool that is always large"
                    + " serves bursts sooner.",
            "remove minimum-idle: HikariCP then keeps all connections open",
            "docs/explanation/cost.md"),
    /** No warning for a leaked connection. */
    LEAK_DETECTION(
            Severity.NOTE,
            "Leaked connections are not reported.",
            "A connection that is never closed is lost to the pool. Without a threshold the log does not name the code that"
                    + " holds it.",
            "spring.datasource.hikari.leak-detection-threshold=60000",
            "docs/how-to/find-holders.md"),
    /** Spring's open session in view. */
    OPEN_IN_VIEW(
            Severity.WARNING,
            "Each request keeps its connection until its response is written.",
            "Spring Boot opens a session for the whole request by default. A connection that the request has used stays"
                    + " leased while the view is rendered or another service is called.",
            "spring.jpa.open-in-view=false",
            "docs/reference/explanations.md"),
    /** Hibernate with auto-commit. */
    AUTO_COMMIT(
            Severity.NOTE,
            "Each transaction takes its connection before its first statement.",
            "Hibernate reads the connection's auto-commit mode when a transaction begins. So the connection stays leased"
                    + " while the method does other work before its first statement.",
            "spring.datasource.hikari.auto-commit=false and"
                    + " spring.jpa.properties.hibernate.connection.provider_disables_autocommit=true",
            "docs/reference/explanations.md"),
    /** The pool waits longer than its caller. */
    CONNECTION_TIMEOUT(
            Severity.WARNING,
            "A request waits for a connection after its caller has given up.",
            "The caller retries, and the abandoned request still takes a connection. Under load this adds demand.",
            "a connection-timeout below the caller's timeout",
            "docs/how-to/stop-a-retry-storm.md"),
    /** The server closes connections first. */
    MAX_LIFETIME(
            Severity.WARNING,
            "The server closes idle connections before the pool does.",
            "A request that receives such a connection fails or needs a second attempt.",
            "a max-lifetime at least 30 s below the server's limit",
            "docs/how-to/troubleshooting.md"),
    /** A call of another service between the statements of a transaction. */
    HTTP_IN_TRANSACTION(
            Severity.WARNING,
            "A transaction calls another service.",
            "The transaction keeps its connection until the service answers. If the service is slow, transactions hold all connections and the"
                    + " pool is exhausted.",
            "the call before or after the transaction",
            "docs/reference/explanations.md"),
    /** A nested transaction, with fewer connections than threads. */
    NESTED_TRANSACTION(
            Severity.WARNING,
            "A transaction waits for a second connection.",
            "REQUIRES_NEW keeps the first connection and leases another one. If all threads do so at once and the pool has fewer"
                    + " connections than threads, all of them wait until the timeout.",
            "one transaction, or a maximum-pool-size above the number of threads",
            "docs/reference/explanations.md"),
    /** A readable password. */
    PASSWORD(
            Severity.ERROR,
            "A password is in the file.",
            "Everybody who can read the sources can use the database.",
            "a variable, for example spring.datasource.password=${DB_PASSWORD}",
            null),
    /** A key that the pool ignores. */
    IGNORED_SETTING(
            Severity.WARNING,
            "The pool ignores a setting.",
            "The pool uses its default instead. Tomcat 8 and newer create a pool of Commons DBCP 2, whose settings have other names."
                    + " With the old names it has 8 connections and waits without a limit.",
            "maxTotal and maxWaitMillis",
            "docs/reference/pools.md"),
    /** Hibernate's built-in pool. */
    BUILT_IN_POOL(
            Severity.WARNING,
            "Hibernate's built-in pool is used.",
            "This pool is not for production: Hibernate logs this warning at each start.",
            "a data source with a pool, for example HikariCP",
            "docs/reference/pools.md"),
    /** More connections than the server has. */
    MAX_CONNECTIONS(
            Severity.ERROR,
            "All instances together may open more connections than the server has.",
            "The last instances fail to connect while the application is scaled out or updated.",
            "smaller pools, or fewer instances",
            "docs/how-to/several-instances.md");

    private final Severity severity;
    private final String summary;
    private final String why;
    private final String instead;
    private final @Nullable String page;

    Rule(Severity severity, String summary, String why, String instead, @Nullable String page) {
        this.severity = severity;
        this.summary = summary;
        this.why = why;
        this.instead = instead;
        this.page = page;
    }

    /** The rule's name in comments, in the output and in SARIF, for example {@code pool-size-default}. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Severity severity() {
        return severity;
    }

    String summary() {
        return summary;
    }

    String why() {
        return why;
    }

    String instead() {
        return instead;
    }

    /** The explaining page in flexpool's sources; null without one. */
    @Nullable
    String page() {
        return page;
    }

    static List<String> ids() {
        return Arrays.stream(values()).map(Rule::id).toList();
    }
}
