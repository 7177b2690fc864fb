// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds passwords of databases that are written in a file. Values are compared, never shown. */
final class PasswordCheck {
    private static final Pattern KEY =
            Pattern.compile(".*(?:datasource|hikari|flyway|liquibase|r2dbc).*(?:password|passwd)");
    private static final Pattern NO_DATABASE =
            Pattern.compile(".*(?:keystore|truststore|console|statviewservlet|login).*");
    private static final Pattern IN_URL = Pattern.compile("(?i)[?&;](?:password|pwd)=([^&;]+)");
    private static final Pattern LOCAL = Pattern.compile(
            "(?i)[^?]*?(?://|@|@//)(?:[^/@]*@)?(?:localhost|127\\.0\\.0\\.1|\\[?::1]?|host\\.docker\\.internal)[:/?;].*");

    private PasswordCheck() {}

    static void run(Application application, Consumer<Finding> report) {
        Setting url = null;
        for (Application.View view : application.views()) {
            url = view.at("springdatasourceurl") == null ? url : view.at("springdatasourceurl");
        }
        for (SettingsFile file : application.files()) {
            if (!Application.isForDevelopment(file.profile())) {
                for (SettingsFile.Document document : file.documents()) {
                    if (document.profiles().stream().noneMatch(Application::isForDevelopment)) {
                        check(document, url, report);
                    }
                }
            }
        }
        for (Setting each : application.deployed()) {
            check(each, url, report);
        }
    }

    private static void check(SettingsFile.Document document, @Nullable Setting outer, Consumer<Finding> report) {
        Setting url = outer;
        for (Setting each : document.settings()) {
            if (each.plain().matches(".*datasource.*(?:url|jdbcurl)")) {
                url = each;
            }
        }
        for (Setting each : document.settings()) {
            check(each, url, report);
        }
    }

    private static void check(Setting setting, @Nullable Setting url, Consumer<Finding> report) {
        String plain = setting.plain();
        Matcher inUrl = IN_URL.matcher(setting.value());
        String value = null;
        if (KEY.matcher(plain).matches() && !NO_DATABASE.matcher(plain).matches()) {
            // The default of a variable is for developers as a rule: a placeholder is no password.
            value = setting.value();
        } else if (plain.endsWith("url") && setting.value().startsWith("jdbc:") && inUrl.find()) {
            value = inUrl.group(1);
            url = setting;
        }
        if (value != null && Values.isPassword(value) && !isLocal(url)) {
            report.accept(Finding.of(Rule.PASSWORD, setting, setting.key() + " is set"));
        }
    }

    /** Whether the database is on the developer's own machine, or inside of the application. */
    private static boolean isLocal(@Nullable Setting url) {
        String value = Values.known(url);
        return value != null
                && (PoolChecks.isEmbedded(url) || LOCAL.matcher(value + "/").matches());
    }
}
