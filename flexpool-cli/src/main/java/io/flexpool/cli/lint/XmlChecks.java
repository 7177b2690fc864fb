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
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Checks Tomcat's context.xml and JPA's persistence.xml. Does not read external entities. */
final class XmlChecks {
    private static final List<String> OF_TOMCAT_7 = List.of("maxActive", "maxWait", "removeAbandoned");
    /** A container's data source, which has a pool: as a property or an element. */
    private static final String DATA_SOURCE = "data-source";

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

    private XmlChecks() {}

    static boolean isOne(String name) {
        return name.equals("persistence.xml") || name.equals("context.xml") || name.equals("server.xml");
    }

    /**
     * Reads a text.
     *
     * @throws IOException if the text is invalid; the message has the reason, but not the file
     */
    static void run(Path file, String text, Consumer<Finding> report) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        Deque<Map<String, Integer>> units = new ArrayDeque<>();
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
            while (reader.hasNext()) {
                int event = reader.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    begin(file, reader, units, report);
                } else if (event == XMLStreamConstants.END_ELEMENT
                        && reader.getLocalName().equals("persistence-unit")
                        && !units.isEmpty()) {
                    end(file, units.pop(), report);
                }
            }
        } catch (XMLStreamException broken) {
            throw new IOException(
                    "line " + broken.getLocation().getLineNumber() + ": is not XML that flexpool can read", broken);
        }
    }

    private static void begin(
            Path file, XMLStreamReader reader, Deque<Map<String, Integer>> units, Consumer<Finding> report) {
        int line = reader.getLocation().getLineNumber();
        switch (reader.getLocalName()) {
            case "persistence-unit" -> units.push(new LinkedHashMap<>());
            case "jta-data-source", "non-jta-data-source" -> {
                if (!units.isEmpty()) {
                    units.peek().put(DATA_SOURCE, line);
                }
            }
            case "property" -> {
                String name = reader.getAttributeValue(null, "name");
                String value = reader.getAttributeValue(null, "value");
                if (!units.isEmpty() && name != null) {
                    units.peek().put(name, line);
                }
                if (name != null
                        && value != null
                        && name.matches(
                                "(?:jakarta|javax)\\.persistence\\.jdbc\\.password|hibernate\\.connection\\.password")) {
                    password(file, line, name, value, report);
                }
            }
            case "Resource" -> resource(file, line, reader, report);
            default -> {
                // Ignores a part about which nothing is known.
            }
        }
    }

    private static void resource(Path file, int line, XMLStreamReader reader, Consumer<Finding> report) {
        String factory = reader.getAttributeValue(null, "factory");
        String url = reader.getAttributeValue(null, "url");
        boolean embedded = url != null && PoolChecks.isEmbedded(new Setting(file, line, "url", url));
        if (!"javax.sql.DataSource".equals(reader.getAttributeValue(null, "type")) || embedded) {
            return;
        }
        // Without a factory the pool is Commons DBCP 2, which ignores these names. Tomcat JDBC and others support them.
        if (factory == null || factory.endsWith("tomcat.dbcp.dbcp2.BasicDataSourceFactory")) {
            for (String name : OF_TOMCAT_7) {
                if (reader.getAttributeValue(null, name) != null) {
                    report.accept(new Finding(
                            Rule.IGNORED_SETTING,
                            file,
                            line,
                            name + " is not a setting of Commons DBCP 2, the pool of Tomcat 8 and newer",
                            switch (name) {
                                case "maxActive" -> "maxTotal=\"…\"";
                                case "maxWait" -> "maxWaitMillis=\"…\"";
                                default -> "removeAbandonedOnBorrow=\"true\"";
                            }));
                }
            }
        }
        String password = reader.getAttributeValue(null, "password");
        if (password != null) {
            password(file, line, "password", password, report);
        }
    }

    private static void end(Path file, Map<String, Integer> properties, Consumer<Finding> report) {
        boolean pooled =
                properties.keySet().stream().anyMatch(name -> POOLS.stream().anyMatch(name::startsWith));
        for (String size : List.of("hibernate.connection.pool_size", "connection.pool_size")) {
            Integer line = properties.get(size);
            if (line != null && !pooled) {
                report.accept(new Finding(
                        Rule.BUILT_IN_POOL,
                        file,
                        line,
                        size + " configures Hibernate's own pool",
                        Rule.BUILT_IN_POOL.instead()));
            }
        }
    }

    private static void password(Path file, int line, String name, String value, Consumer<Finding> report) {
        if (Values.isPassword(value)) {
            report.accept(new Finding(
                    Rule.PASSWORD, file, line, name + " is set", "a data source of the container, or a variable"));
        }
    }
}
