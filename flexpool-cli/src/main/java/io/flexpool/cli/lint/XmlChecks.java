// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Checks Tomcat's context.xml, JPA's persistence.xml and Hibernate's hibernate.cfg.xml. Does not read external entities. */
final class XmlChecks {
    private static final List<String> OF_TOMCAT_7 = List.of("maxActive", "maxWait", "removeAbandoned");
    /** The passwords of a resource: HikariCP's factory has those of the driver's data source too. */
    private static final List<String> OF_RESOURCE = List.of("password", "dataSource.password", "datasource.password");
    /** A container's data source, which has a pool: as a property or an element. */
    private static final String DATA_SOURCE = "data-source";

    private static final String HIBERNATE = "hibernate.";
    private static final String SIZE = "hibernate.connection.pool_size";
    /** The words for a database in the properties of Hibernate, EclipseLink, OpenJPA, and their pools. */
    private static final String DATABASE = "(?i)(?=.{0,200}?(?:jdbc|connection|hikari|datasource|c3p0|agroal|dbcp))";

    private static final Pattern PASSWORD =
            Pattern.compile(DATABASE + "(?<of>.{1,200}?)\\.?(?:connection)?(?:password|passwd)");
    private static final Pattern NO_DATABASE = Pattern.compile("(?i).{0,200}?(?:ssl|key-?store|trust-?store).*");
    private static final Pattern URL = Pattern.compile(DATABASE + "(?<of>.{1,200}?)\\.?(?:connection)?(?:jdbc-?)?url");
    private static final Pattern SERVER = Pattern.compile(DATABASE + "(?<of>.{1,200}?)\\.?server-?name");
    /** The part of a pool's properties that it passes to the driver's data source. */
    private static final Pattern DRIVERS = Pattern.compile("(?i)\\.dataSource(?:Properties)?$");

    private static final List<String> POOLS = List.of(
            "hibernate.c3p0.",
            "hibernate.hikari.",
            "hibernate.agroal.",
            "hibernate.connection.provider_class",
            "hibernate.connection.datasource",
            "jakarta.persistence.jtaDataSource",
            "jakarta.persistence.nonJtaDataSource",
            "javax.persistence.jtaDataSource",
            "javax.persistence.nonJtaDataSource",
            DATA_SOURCE);

    private final Path file;
    private final String[] lines;
    private final boolean hasPool;
    private final Consumer<Finding> report;
    /** The properties of the units around, by their full names. */
    private final Deque<Map<String, Setting>> units = new ArrayDeque<>();
    /** The property whose text is read; null outside of one. */
    private @Nullable String property;

    private int propertyLine;
    private final StringBuilder value = new StringBuilder();

    private XmlChecks(Path file, String text, boolean hasPool, Consumer<Finding> report) {
        this.file = file;
        this.lines = text.split("\\R", -1);
        this.hasPool = hasPool;
        this.report = report;
    }

    static boolean isOne(String name) {
        return name.equals("persistence.xml")
                || name.equals("context.xml")
                || name.equals("server.xml")
                || name.endsWith(".cfg.xml");
    }

    /**
     * Reads a text.
     *
     * @param hasPool whether the build names a pool that Hibernate uses without any setting
     * @throws IOException if the text is invalid; the message has the reason, but not the file
     */
    static void run(Path file, String text, boolean hasPool, Consumer<Finding> report) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XmlChecks checks = new XmlChecks(file, text, hasPool, report);
        try {
            checks.read(factory.createXMLStreamReader(new StringReader(text)));
        } catch (XMLStreamException broken) {
            throw new IOException(
                    "line " + broken.getLocation().getLineNumber() + ": is not XML that flexpool can read", broken);
        }
    }

    private void read(XMLStreamReader reader) throws XMLStreamException {
        // A reader is behind what it has read: the begin of an element is the end of what was before.
        int line = 1;
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                begin(reader, line);
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                end(reader.getLocalName());
            } else if (property != null
                    && (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA)) {
                value.append(reader.getText());
            }
            line = reader.getLocation().getLineNumber();
        }
    }

    private void begin(XMLStreamReader reader, int line) {
        switch (reader.getLocalName()) {
            case "persistence-unit", "session-factory" -> units.push(new LinkedHashMap<>());
            case "jta-data-source", "non-jta-data-source" -> put(DATA_SOURCE, line, "");
            case "property" -> {
                String name = reader.getAttributeValue(null, "name");
                String attribute = reader.getAttributeValue(null, "value");
                if (name != null && attribute != null) {
                    put(name, line, attribute);
                } else if (name != null) {
                    // Hibernate's own file has the value as text, and names without their begin.
                    property = name;
                    propertyLine = line;
                    value.setLength(0);
                }
            }
            case "Resource" -> resource(line, reader);
            default -> {
                // Ignores a part about which nothing is known.
            }
        }
    }

    private void end(String element) {
        if (element.equals("property") && property != null) {
            put(property, propertyLine, value.toString().strip());
            property = null;
        } else if ((element.equals("persistence-unit") || element.equals("session-factory")) && !units.isEmpty()) {
            unit(units.pop());
        }
    }

    private void put(String name, int line, String of) {
        if (!units.isEmpty()) {
            boolean whole = name.startsWith("hibernate") || name.contains("persistence.") || name.equals(DATA_SOURCE);
            String key = whole ? name : HIBERNATE + name;
            units.peek().put(key, new Setting(file, line, name, of));
        }
    }

    private void resource(int line, XMLStreamReader reader) {
        String factory = reader.getAttributeValue(null, "factory");
        String url = reader.getAttributeValue(null, "url");
        boolean embedded = url != null && PoolChecks.isEmbedded(new Setting(file, line, "url", url));
        String type = String.valueOf(reader.getAttributeValue(null, "type"));
        if (!type.endsWith("DataSource") || embedded) {
            return;
        }
        int last = reader.getLocation().getLineNumber();
        // Without a factory the pool is Commons DBCP 2, which ignores these names. Tomcat JDBC and others support them.
        boolean dbcp = type.equals("javax.sql.DataSource")
                && (factory == null || factory.endsWith("tomcat.dbcp.dbcp2.BasicDataSourceFactory"));
        if (dbcp) {
            for (String name : OF_TOMCAT_7) {
                if (reader.getAttributeValue(null, name) != null) {
                    report.accept(new Finding(
                            Rule.IGNORED_SETTING,
                            file,
                            line(name, line, last),
                            name + " is not a setting of Commons DBCP 2, the pool of Tomcat 8 and newer",
                            switch (name) {
                                case "maxActive" -> "maxTotal=\"…\"";
                                case "maxWait" -> "maxWaitMillis=\"…\"";
                                default -> "removeAbandonedOnBorrow=\"true\"";
                            }));
                }
            }
        }
        for (String name : OF_RESOURCE) {
            String password = reader.getAttributeValue(null, name);
            if (password != null) {
                password(line(name, line, last), name, password);
            }
        }
    }

    /** The line of an attribute, which a reader does not have. */
    private int line(String attribute, int first, int last) {
        Pattern written = Pattern.compile("(?<![\\w.-])" + attribute + "\\s*=");
        for (int at = first; at <= Math.min(last, lines.length); at++) {
            if (written.matcher(lines[at - 1]).find()) {
                return at;
            }
        }
        return first;
    }

    private void unit(Map<String, Setting> properties) {
        for (Map.Entry<String, Setting> each : properties.entrySet()) {
            Matcher key = PASSWORD.matcher(each.getKey());
            if (key.matches()
                    && !NO_DATABASE.matcher(each.getKey()).matches()
                    && !PasswordCheck.isLocal(url(properties, key.group("of")))) {
                password(
                        each.getValue().line(),
                        each.getValue().key(),
                        each.getValue().value());
            }
        }
        Setting url = url(properties, "");
        boolean pooled = hasPool
                || PoolChecks.isEmbedded(url)
                || properties.keySet().stream().anyMatch(name -> POOLS.stream().anyMatch(name::startsWith));
        Setting size = properties.get(SIZE);
        if (size != null && !pooled) {
            report.accept(Finding.of(Rule.BUILT_IN_POOL, size, size.key() + " configures Hibernate's own pool"));
        }
    }

    /** The URL of a data source, or of the unit's first one. */
    private static @Nullable Setting url(Map<String, Setting> properties, String of) {
        Setting first = null;
        for (Map.Entry<String, Setting> each : properties.entrySet()) {
            Matcher server = SERVER.matcher(each.getKey());
            boolean named = server.matches();
            Matcher key = named ? server : URL.matcher(each.getKey());
            if (key.matches()) {
                Setting at = each.getValue();
                Setting url = named ? new Setting(at.file(), at.line(), at.key(), "jdbc://" + at.value() + "/") : at;
                if (pool(key.group("of")).equals(pool(of))) {
                    return url;
                }
                first = first == null ? url : first;
            }
        }
        return first;
    }

    private static String pool(String key) {
        return DRIVERS.matcher(key).replaceFirst("");
    }

    private void password(int line, String name, String of) {
        if (Values.isPassword(of)) {
            report.accept(new Finding(
                    Rule.PASSWORD, file, line, name + " is set", "a data source of the container, or a variable"));
        }
    }
}
