// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds database passwords written in files. Compares values, but never shows them. */
final class PasswordCheck {
    private static final Pattern KEY =
            Pattern.compile(".*(?:datasource|hikari|flyway|liquibase|r2dbc).*(?:password|passwd)");
    private static final Pattern NO_DATABASE =
            Pattern.compile(".*(?:keystore|truststore|console|statviewservlet|login).*");
    private static final Pattern IN_URL = Pattern.compile("(?i)[?&;](?:password|pwd)=([^&;]+)");
    private static final Pattern LOCAL = Pattern.compile(
            "(?i)[^?]*?(?://|@|@//)(?:[^/@]*@)?(?:localhost|127\\.0\\.0\\.1|\\[?::1]?|host\\.docker\\.internal)[:/?;].*");

    /** A host that other machines can reach: a domain name, or an address that is not private. */
    private static final Pattern REMOTE = Pattern.compile(
            "(?i)jdbc:[^?]*?(?://|@)(?!10\\.|127\\.|192\\.168\\.|169\\.254\\.|172\\.(?:1[6-9]|2\\d|3[01])\\.)(?:[\\w-]+\\.)+(?:[a-z]{2,}|\\d{1,3})(?<!\\.local|\\.internal|\\.test|\\.example)(?:[:/;?].*)?");
    /** Placeholder words for a host. */
    private static final Pattern NO_HOST = Pattern.compile("(?i)[^?]*?(?://|@)[^/?]*(?:x{3,}|your|<|\\*{3}|change).*");

    private PasswordCheck() {}

    static void run(Application application, Consumer<Finding> report) {
        Setting url = null;
        for (Application.View view : application.views()) {
            url = view.at("springdatasourceurl") == null ? url : view.at("springdatasourceurl");
        }
        for (SettingsFile file : application.files()) {
            boolean developers = Application.isForDevelopment(file.profile());
            for (SettingsFile.Document document : file.documents()) {
                if (developers || document.profiles().stream().anyMatch(Application::isForDevelopment)) {
                    Setting own = url(document);
                    if (own != null && REMOTE.matcher(own.value()).matches()) {
                        check(document, own, report);
                    }
                } else {
                    check(document, url, report);
                }
            }
        }
        for (Setting each : application.deployed()) {
            check(each, url, report);
        }
    }

    private static void check(SettingsFile.Document document, @Nullable Setting outer, Consumer<Finding> report) {
        Setting own = url(document);
        Setting url = own == null ? outer : own;
        for (Setting each : document.settings()) {
            check(each, url, report);
        }
    }

    private static @Nullable Setting url(SettingsFile.Document document) {
        Setting url = null;
        for (Setting each : document.settings()) {
            if (each.plain().matches(".*datasource.*url")) {
                url = each;
            }
        }
        return url;
    }

    private static void check(Setting setting, @Nullable Setting url, Consumer<Finding> report) {
        String plain = setting.plain();
        Matcher inUrl = IN_URL.matcher(setting.value());
        String value = null;
        if (KEY.matcher(plain).matches() && !NO_DATABASE.matcher(plain).matches()) {
            // A placeholder is no password: its default is usually for developers.
            value = setting.value();
        } else if (plain.endsWith("url") && setting.value().startsWith("jdbc:") && inUrl.find()) {
            value = inUrl.group(1);
            url = setting;
        }
        boolean nowhere = url != null && NO_HOST.matcher(url.value()).matches();
        if (value != null && Values.isPassword(value) && !nowhere && !isLocal(url)) {
            report.accept(Finding.of(Rule.PASSWORD, setting, setting.key() + " is set"));
        }
    }

    /** Whether the database is on the developer's machine, or embedded. */
    static boolean isLocal(@Nullable Setting url) {
        String value = Values.known(url);
        return PoolChecks.isEmbedded(url)
                || (value != null && LOCAL.matcher(value + "/").matches());
    }
}
